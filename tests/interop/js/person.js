/** Who answers: as the case says. */
export class Person {
  /** @type {Record<string, {action: "accept" | "decline" | "cancel", content?: any, visit?: boolean, first?: string}[]>} */
  #answers = {}
  /** @type {Map<string, () => void>} */
  #waiting = new Map()
  /** @type {string[]} */
  asked = []
  /** @type {string[]} */
  logs = []

  /** @param {any} one the case that is played now */
  begin({ answers }) {
    this.#answers = answers ?? {}
    this.asked = []
    this.logs = []
  }

  /** Answers a form or a url, which is visited first if the case says so. @param {any} params */
  async elicit({ message, url }) {
    const answers = this.#answers[message]
    if (!answers) throw new Error(`the case has no answer to ${JSON.stringify(message)}`)
    const nth = this.asked.filter((asked) => asked === message).length
    this.asked.push(message)
    const { action, content, visit, first } = answers[Math.min(nth, answers.length - 1)]
    if (first) await fetch(first)
    if (visit && !(await fetch(url)).ok) throw new Error("there is no such page")
    return content === undefined ? { action } : { action, content }
  }

  /** Opens the pages that an error requires, and waits until the server says it is done. @param {any[]} elicitations */
  async open(elicitations) {
    for (const elicitation of elicitations) {
      const completed = new Promise((resolve) => this.#waiting.set(elicitation.elicitationId, () => resolve(undefined)))
      await this.elicit(elicitation)
      await completed
    }
  }

  /** Takes the server's word that a page was visited. @param {string} id */
  complete(id) {
    this.#waiting.get(id)?.()
  }

  /** @param {any} params */
  sample({ messages }) {
    const content = [messages[0].content].flat()[0]
    this.asked.push(`sampling: ${content.text}`)
    return { role: /** @type {const} */ ("assistant"), model: "none", content: { type: /** @type {const} */ ("text"), text: "A line." } }
  }

  listRoots() {
    this.asked.push("roots")
    return { roots: [{ uri: "file:///interop" }] }
  }
}
