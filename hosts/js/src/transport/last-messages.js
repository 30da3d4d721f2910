/** How long a server may take to note what a session tells it last, such as cancellations, in milliseconds. */
export const lastWords = 5000

/** Waits until all of them have ended, or the time is over. @param {(Promise<unknown> | undefined)[]} words @param {number} [most] in milliseconds */
export async function heard(words, most = lastWords) {
  if (!words.length) return
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, most)))
  await Promise.race([Promise.allSettled(words), late])
  clearTimeout(timer)
}
