/** The events of a session's streams, for clients that take up one that broke off. */
export class Events {
  /** @type {{id: string, stream: string, message: any}[]} */
  #events = []

  /** @param {string} stream @param {any} message */
  async storeEvent(stream, message) {
    const id = String(this.#events.length + 1)
    this.#events.push({ id, stream, message })
    return id
  }

  /** @param {string} id */
  async getStreamIdForEventId(id) {
    return this.#events.find((event) => event.id === id)?.stream
  }

  /** @param {string} last @param {{send: (id: string, message: any) => Promise<void>}} to */
  async replayEventsAfter(last, { send }) {
    const stream = (await this.getStreamIdForEventId(last)) ?? ""
    for (const event of this.#events) {
      const primes = Object.keys(event.message).length === 0 // the event that begins a stream carries no message
      if (event.stream === stream && Number(event.id) > Number(last) && !primes) await send(event.id, event.message)
    }
    return stream
  }
}
