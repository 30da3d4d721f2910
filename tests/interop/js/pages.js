import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"

/**
 * What URL questions lead to. The pages have a listener of their own, so that
 * a server over stdio has them too; fetching one is what a person does there.
 */
export class Pages {
  /** @type {Map<string, {visited: boolean, visit: () => void, visitor: Promise<unknown>}>} */
  #pages = new Map()
  #base = ""

  static async open() {
    const pages = new Pages()
    const server = createServer((request, response) => {
      const page = pages.#pages.get((request.url ?? "").slice(1))
      if (!page) return void response.writeHead(404).end()
      page.visited = true
      page.visit()
      response.writeHead(200, { Connection: "close" }).end("Thank you.\n") // an open one would keep the process alive
    })
    await once(server.listen(0, "127.0.0.1").unref(), "listening")
    const address = server.address()
    pages.#base = `http://127.0.0.1:${typeof address === "object" && address?.port}/`
    return pages
  }

  add() {
    const id = randomUUID()
    let visit = () => {}
    const visitor = new Promise((resolve) => (visit = () => resolve(undefined)))
    this.#pages.set(id, { visited: false, visit, visitor })
    return id
  }

  /** @param {string} id */
  url(id) {
    return this.#base + id
  }

  /** @param {string} id */
  visited(id) {
    return this.#pages.get(id)?.visited ?? false
  }

  /** Resolves with the visit of a page. @param {string} id */
  async visit(id) {
    await this.#pages.get(id)?.visitor
  }
}
