import { spawn } from "node:child_process"

/** A server in a process of its own, and a client that sends single requests. */
export class Server {
  log = ""
  url = ""
  #process
  #id = 0

  /**
   * @param {string} name
   * @param {string} command
   * @param {string[]} args
   */
  static async start(name, command, args) {
    const server = new Server(name, spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] }))
    await server.#listening()
    return server
  }

  /** @param {string} name @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} process */
  constructor(name, process) {
    this.name = name
    this.#process = process
    process.stderr.setEncoding("utf8").on("data", (text) => (this.log += text))
  }

  /** @returns {Promise<void>} */
  #listening() {
    return new Promise((resolve, reject) => {
      let printed = ""
      this.#process.stdout.setEncoding("utf8").on("data", (text) => {
        printed += text
        const found = printed.match(/^listening on (\S+)\n/)
        if (found?.[1]) resolve(void (this.url = found[1]))
      })
      this.#process.on("error", reject)
      this.#process.on("exit", (code) => reject(new Error(`${this.name} ended with ${code}: ${this.log}`)))
    })
  }

  /**
   * Sends one request and returns the answer as it came.
   *
   * @param {string} method
   * @param {any} params
   * @param {string} token
   * @param {string} [text] of the params, in another spelling
   */
  async send(method, params, token, text = JSON.stringify(params)) {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    }
    const id = ++this.#id
    const response = await fetch(this.url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        "Mcp-Name": params.name ?? params.uri,
      },
      body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"_meta":${JSON.stringify(_meta)},${text.slice(1)}}`,
    })
    const body = await response.text()
    return { status: response.status, body: body.replace(`"id":${id}`, '"id":0') }
  }

  /**
   * The result of a request that has one.
   *
   * @param {string} method
   * @param {any} params
   * @param {string} token
   */
  async ok(method, params, token) {
    const { status, body } = await this.send(method, params, token)
    const { result } = status === 200 ? JSON.parse(body) : {}
    if (!result) throw new Error(`${this.name}: ${method}: HTTP status ${status}: ${body}`)
    return result
  }

  /** Whether the log holds the text, now or soon: nobody waits long for it on a good day. @param {RegExp} text @param {number} [from] */
  async logged(text, from = 0) {
    for (const end = Date.now() + 180_000; Date.now() < end; ) {
      if (text.test(this.log.slice(from))) return true
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return false
  }

  /** Has the server read its keys again. @param {RegExp} done what it logs then */
  async hangUp(done) {
    const from = this.log.length
    this.#process.kill("SIGHUP")
    if (!(await this.logged(done, from))) throw new Error(`${this.name} did not read its keys again: ${this.log.slice(from)}`)
  }

  async stop() {
    this.#process.removeAllListeners("exit")
    if (this.#process.exitCode !== null) return
    const gone = new Promise((resolve) => this.#process.once("exit", resolve))
    this.#process.kill("SIGTERM")
    await gone
  }
}
