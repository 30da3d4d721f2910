/** What waits for a turn of its own. @type {(() => void)[]} */
const waiting = []

/**
 * Does something in a turn of its own, after what the platform has to do: its
 * input, other timers, a person's clicks. All who wait take turns.
 *
 * @param {() => void} work that does not throw
 */
export function inTurn(work) {
  if (waiting.push(work) === 1) soon(next)
}

function next() {
  const work = waiting.shift()
  if (waiting.length) soon(next)
  work?.()
}

/** Timers would not do: pages make them wait for 4 ms, and hidden ones for a second. @param {() => void} work */
function soon(work) {
  const { setImmediate } = /** @type {{setImmediate?: (work: () => void) => unknown}} */ (globalThis)
  if (setImmediate) return void setImmediate(work)
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    work()
  }
  port2.postMessage(0)
}
