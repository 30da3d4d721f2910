import { elicit, listRoots, sample } from "./answer.mjs"

/** @import { Engine, Server, Session } from "../../../../hosts/js/dist/node.js" */

/** @typedef {{name: string, inputSchema: import("./arguments.mjs").Schema}} Tool */

/** A session with the suite's server. */
export class Client {
  /** @type {Session | undefined} */
  session

  /** What is done once, while a question is open. @type {(() => Promise<void>) | undefined} */
  meanwhile

  /** What the server says it offers; nothing before the first answer. @type {Record<string, unknown>} */
  offers = {}

  /** @param {Engine} engine */
  constructor(engine) {
    this.askers = {
      /** @param {import("../../../../hosts/js/dist/node.js").Question} question */
      elicit: async (question) => {
        const { meanwhile } = this
        this.meanwhile = undefined
        await meanwhile?.()
        return elicit(engine, question)
      },
      fill: true,
      sample,
      sampleTools: true,
      listRoots,
    }
    this.watchers = {
      /** @param {Server} server */
      onReady: ({ version, capabilities }) => {
        console.log("the server speaks", version)
        this.offers = JSON.parse(capabilities ?? "{}")
      },
      /** @param {string} text */
      onWarning: (text) => console.log("warning:", text),
    }
  }

  /**
   * Makes one call and prints it.
   *
   * @param {string} method @param {object} params
   */
  async request(method, params) {
    console.log(method, JSON.stringify(params))
    const outcome = await this.session?.call({ method, params })
    if (outcome?.status === "done") return JSON.parse(outcome.result)
    if (outcome?.status !== "failed") throw new Error(`${method}: parked, which nothing asked for`)
    throw new Error(`${method}: error ${outcome.code}: ${outcome.detail} ${outcome.response ?? outcome.cause ?? ""}`)
  }

  /** All of a list. @param {"tools" | "prompts" | "resources"} name @returns {Promise<any[]>} */
  async list(name) {
    console.log("the list of", name)
    const all = []
    for await (const item of this.session?.[name]() ?? []) all.push(item)
    return all
  }

  /** @returns {Promise<Tool[]>} */
  tools() {
    return this.list("tools")
  }

  /** @param {string} name @param {unknown} args */
  async callTool(name, args) {
    const result = await this.request("tools/call", { name, arguments: args })
    if (result.isError) throw new Error(`the tool ${name} failed: ${JSON.stringify(result.content)}`)
  }
}
