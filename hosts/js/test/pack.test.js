// The package as npm publishes it, installed in a clean folder.
import { execFile } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

import { contains, equal, ok } from "./assert.js"
import { startGoServer } from "./go-server.js"

const here = fileURLToPath(new URL("..", import.meta.url))
const run = promisify(execFile)

test("the package", async (t) => {
  const project = mkdtempSync(join(tmpdir(), "parley-pack-"))
  t.after(() => rmSync(project, { recursive: true }))
  const packed = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], { cwd: here })
  const [{ filename, files }] = JSON.parse(packed.stdout)
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }))
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: project })
  // Beside it a host has the official SDK, which the package neither brings nor needs.
  symlinkSync(join(here, "node_modules/@modelcontextprotocol"), join(project, "node_modules/@modelcontextprotocol"))

  await t.test("holds what it should and nothing else", () => {
    const paths = files.map((/** @type {{path: string}} */ { path }) => path)
    for (const path of ["LICENSE", "README.md", "dist/node.js", "dist/node.d.ts", "dist/parley.wasm", "dist/parley-fast.wasm"]) ok(paths.includes(path), path)
    for (const path of paths) ok(/^(LICENSE|README\.md|package\.json|dist\/([\w-]+\/)*[\w.-]+\.(js|d\.ts|wasm))$/.test(path), path)
    const manifest = JSON.parse(readFileSync(join(project, "node_modules/@parley-mcp/parley/package.json"), "utf8"))
    equal([manifest.dependencies, manifest.optionalDependencies], [undefined, undefined])
    for (const peer of Object.keys(manifest.peerDependencies)) ok(manifest.peerDependenciesMeta[peer]?.optional, peer)
    const dist = (/** @type {string} */ file) => readFileSync(join(project, "node_modules/@parley-mcp/parley/dist", file), "utf8")
    contains(dist("parley.js"), "MIT License")
    contains(dist("oauth/protocol.js"), "MIT License")
    const imports = (/** @type {string} */ file) => [...new Set([...dist(file).matchAll(/^(?:im|ex)port (?:.* from )?"([^"]*)"/gm)].map(([, from]) => from))].sort()
    equal([imports("node.js"), imports("browser.js"), imports("parley.js")], [["./parley.js", "node:fs/promises"], ["./parley.js"], []], "two files are all that is loaded")
  })

  const server = await startGoServer()
  t.after(server.stop)
  const readme = readFileSync(join(here, "README.md"), "utf8")
  const snippets = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code.replaceAll("http://127.0.0.1:8080/mcp", server.url))

  for (const name of ["modern", "questions", "listen"]) copyFileSync(join(here, `test/servers/${name}.js`), join(project, name === "modern" ? "server.js" : `${name}.js`))

  // What each prints; the first is a page's, which browsers/readme.mjs runs.
  const prints = [undefined, "18 °C", "form", "18 °C", "get_weather", "done", "26 Work items false", "[]", "x := 1", "Anzahl darf höchstens 1500 sein"]
  for (const [i, want] of prints.entries()) {
    if (want === undefined) continue
    await t.test(`README snippet ${i + 1} of ${snippets.length} runs`, async () => {
      writeFileSync(join(project, `snippet-${i}.js`), snippets[i] ?? "")
      const running = run(process.execPath, [`snippet-${i}.js`], { cwd: project })
      running.child.stdin?.end("metric\n\n")
      contains((await running).stdout, want)
    })
  }
  equal(snippets.length, prints.length, "README snippets")
  ok(readFileSync(join(here, "../../README.md"), "utf8").includes(/^```js\n.*?^```$/ms.exec(readme)?.[0] ?? "missing"), "the first snippet is the repository's, too")
  for (const host of snippets.slice(0, 2)) ok(host.trim().split("\n").length <= 12, "a whole host is twelve lines")

  await t.test("every entry resolves, and the inline one needs no file", async () => {
    writeFileSync(
      join(project, "entries.js"),
      `import * as inline from "@parley-mcp/parley/inline"
       import { Engine } from "@parley-mcp/parley/core"
       import { readFileSync } from "node:fs"
       import { stdioTransport } from "@parley-mcp/parley/stdio"
       import { memoryAccounts, signIn, signInCallback } from "@parley-mcp/parley/oauth"
       for (const entry of [memoryAccounts, signIn, signInCallback]) if (typeof entry !== "function") throw new Error("no function")
       const bytes = readFileSync(new URL(import.meta.resolve("@parley-mcp/parley/parley.wasm")))
       const { createGuard } = await import("@parley-mcp/parley/codec")
       const { testCodec } = await import("@parley-mcp/parley/codec-test")
       createGuard().close()
       testCodec(() => {}, () => { throw new Error("not yet") })
       readFileSync(new URL(import.meta.resolve("@parley-mcp/parley/parley-codec.wasm")))
       stdioTransport({ command: "node" })
       const engines = [await inline.load(), new Engine(new WebAssembly.Module(bytes))]
       for (const name of ["node", "browser", "worker"]) {
         const { load } = await import("@parley-mcp/parley/" + name)
         engines.push(await load({ source: bytes }))
       }
       console.log(engines.map((e) => e.live).join())`,
    )
    equal((await run(process.execPath, ["entries.js"], { cwd: project })).stdout.trim(), "0,0,0,0,0")
  })

  for (const [module, moduleResolution] of [["NodeNext", "NodeNext"], ["ESNext", "Bundler"]]) {
    await t.test(`a strict TypeScript project checks, with ${moduleResolution}`, async () => {
      const folder = join(project, moduleResolution ?? "")
      mkdirSync(folder)
      const options = { module, moduleResolution, target: "ES2022", lib: ["ES2022", "DOM", "DOM.Iterable"], types: ["node"], typeRoots: [join(here, "node_modules/@types")], strict: true, exactOptionalPropertyTypes: true, noEmit: true }
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }))
      writeFileSync(join(folder, "host.ts"), host)
      for (const [i, snippet] of snippets.entries()) writeFileSync(join(folder, `snippet-${i}.ts`), snippet)
      const checked = await run(join(here, "node_modules/.bin/tsc"), ["-p", folder]).catch((error) => error)
      equal(checked.stdout, "", "what the compiler says")
    })
  }
})

const host = `
import { Client } from "@modelcontextprotocol/client"
import { Code, connect, Failure, fetchTransport, indexedDBStore, load, PARK, requests, shareCall, unsent } from "@parley-mcp/parley"
import { type Askers, type Outcome, type Question, type HostSide, type Transport } from "@parley-mcp/parley"
import { compileCodec, createBox, createGuard, type GuardOptions, type OwnCodec } from "@parley-mcp/parley/codec"
import { codecDefects } from "@parley-mcp/parley/codec-test"
import { over } from "@parley-mcp/parley/over"
import { connectRemote, RemoteHost, type Socket, type Visitor } from "@parley-mcp/parley/remote"
import { sampler, toolLoop, type Answers, type Waiting } from "@parley-mcp/parley/ai-sdk"
import { tools } from "@parley-mcp/parley/langchain"
import { memoryStore, redisReplayStore, redisStore, type Lease, type RedisConnection, type Store } from "@parley-mcp/parley/store"
import { mcpServer } from "@parley-mcp/parley/openai-agents"
import { stdioTransport } from "@parley-mcp/parley/stdio"
import { bearer, provider, signIn, SignInError, type AccountStore, type Credentials } from "@parley-mcp/parley/oauth"
import { auth, type AuthProvider, type OAuthClientProvider } from "@modelcontextprotocol/client"

export function credentials(url: string, own: AuthProvider, whole: OAuthClientProvider, store: AccountStore): Credentials[] {
  const login = signIn({ url, store, ask: ({ host, open }) => console.log(host, open()), open: (page, { signal }) => (signal.aborted ? PARK : page.follow()) })
  // @ts-expect-error: an option that does not exist
  signIn({ url, clientSecert: "" })
  fetchTransport(url, { authorization: login.authorization })
  login.account().catch((error) => error instanceof SignInError && error.code === "denied")
  return [login, bearer(() => "t"), provider(own, { url }), provider(whole, { url, auth })]
}

export async function shared(client: RedisConnection, guard: GuardOptions): Promise<Store> {
  guard.replay = await redisReplayStore(client)
  const store: Store = await redisStore(client, { box: createBox({ module: new Uint8Array(), keys: "" }), wait: 1 })
  const lease: Lease = await store.create("a", { signal: AbortSignal.timeout(1000) })
  await lease.save("{}", { principal: "ann", titles: ["Who?"] })
  for await (const change of store.watch({ principal: "ann" })) if (change.id !== undefined && !change.gone) console.log(change.about.label, change.cursor)
  // @ts-expect-error: nobody knows of a colour
  await lease.save("{}", { colour: "red" })
  return memoryStore()
}

export async function sealing(codec: OwnCodec, other: OwnCodec) {
  const module = await compileCodec()
  const guards = [createGuard({ module }), createGuard({ module, keys: "", audience: "a" }), createGuard({ module, codec, audience: "a" })]
  // @ts-expect-error: a codec has two functions
  createGuard({ module, codec: { seal: codec.seal } })
  const sealed: string[] = await Promise.all(guards.map((guard) => guard.outbound(null, "{}")))
  return [...sealed, ...(await codecDefects({ codec, other }))]
}

export async function remote(socket: Socket, visitor: Pick<Visitor, "owner">) {
  const engine = await load()
  new RemoteHost({ store: memoryStore() })
  const host = new RemoteHost({ store: indexedDBStore(), linger: 1000 })
  host.serve(socket, { ...visitor, server: "desk", session: (page) => connect(engine, fetchTransport("https://example.com/mcp"), page), allow: ({ method }) => method === "tools/call", askers: (page) => ({ ...page, listRoots: () => ({ roots: [] }) }) })
  const session = connectRemote(() => new WebSocket("wss://example.com"), { askers: { elicit: ask }, watchers: { onReady: ({ version }) => console.log(version) } })
  await tools(session, { tool: (run, { name }) => ({ run, name }) })
  // @ts-expect-error: a page says nothing of whose it is
  connectRemote("wss://example.com", { owner: "ann" })
  const outcome: Outcome = await session.resume({ snapshot: "", resend: true, askers: { elicit: ask } })
  return [outcome, (await session.callTool({ name: "t" })).content, host.close()]
}

async function ask(question: Question) {
  if (question.problem !== undefined) return PARK
  return question.mode === "form" ? { action: "accept", content: {} } : '{"action":"decline"}'
}

export async function host(snapshot: string): Promise<string | undefined> {
  const engine = await load({ source: new URL("https://example.com/parley.wasm") })
  const running: HostSide = {
    askers: { elicit: ask, fill: true },
    watchers: { onLeg: ({ leg, method, size, answer }) => console.log(leg, method ?? answer, size), onPause: ({ until }) => console.log(new Date(until)) },
    save: (snapshot) => indexedDBStore().put("id", snapshot),
    signal: AbortSignal.timeout(1000),
  }
  const own = requests(({ leg, method, params, capabilities }, { signal, progress }) => {
    if (signal.aborted) throw unsent("nobody waits", signal.reason)
    progress('{"progress":1}')
    return JSON.stringify({ jsonrpc: "2.0", id: leg, result: { method, params, capabilities } })
  })
  const first = connect(engine, own)
  let outcome: Outcome = await first.call({ method: "tools/call", params: { name: "t" }, options: { askConcurrency: -1, limits: { asks: 3 }, maxTries: 2 }, ...running })
  if (outcome.status === "failed" && outcome.code === Code.inDoubt) {
    outcome = await first.resume({ snapshot: outcome.snapshot ?? snapshot, expect: { peer: "p" }, resend: true, again: true, moreRounds: 10, ...running })
  }
  const transports: Transport[] = [own, over(new Client({ name: "c", version: "1" })), fetchTransport("https://example.com/mcp", { fetch: (url, init) => fetch(url, init) }), stdioTransport({ command: "server" }), { kind: "stdio", open: (receive) => ({ perform: () => receive({ type: "down" }), reset() {}, close: async () => {} }) }]
  for (const transport of transports) {
    const session = connect(engine, transport, { askers: { elicit: ask }, watchers: { onReady: ({ version }) => console.log(version.length) } })
    const shared: { askers: Askers; close: () => void } = shareCall("id", { elicit: ask })
    outcome = await session.call({ method: "tools/call", params: { name: "t" }, options: { peer: "p" }, askers: shared.askers, watchers: { onTask: (status) => console.log(status) } })
    if (outcome.status === "parked") outcome = await session.resume({ snapshot: outcome.snapshot, resend: true })
    // @ts-expect-error: an option that does not exist
    connect(engine, transport, { capabilites: {} })
    await session.close()
  }
  // @ts-expect-error: an asker that does not exist
  await first.call({ method: "tools/call", askers: { ellicit: ask } })
  // @ts-expect-error: askers are a group of their own
  await first.call({ method: "tools/call", elicit: ask })
  // @ts-expect-error: what can be answered is said by askers
  await first.call({ method: "tools/call", options: { can: { form: true } } })
  const { content, structuredContent } = await first.callTool({ name: "t", arguments: { n: 1 }, signal: AbortSignal.timeout(1000) })
  for (const block of content) if (block.type === "image") console.log(block.data.length, block.mimeType, structuredContent)
  const texts: (string | undefined)[] = [content[0]?.text, (await first.getPrompt({ name: "p" })).messages[0]?.content.text, (await first.readResource({ uri: "u" })).contents[0]?.text]
  for await (const { name, inputSchema, annotations, raw } of first.tools({ signal: AbortSignal.timeout(1000) })) console.log(name, inputSchema.required?.length, annotations?.readOnlyHint, raw.length, texts)
  // @ts-expect-error: a typed call has its own method
  await first.callTool({ name: "t", method: "tools/call" })
  try {
    await first.callTool({ name: "t" })
  } catch (error) {
    if (error instanceof Failure && error.status === "parked") return error.snapshot
  }
  const sample = sampler({ specificationVersion: "v4", modelId: "m", doGenerate: async () => ({ content: [{ type: "text", text: "t" }], finishReason: "stop" }) }, () => ({ action: "accept" }))
  const loop = toolLoop({ desk: first }, { store: indexedDBStore(), askers: { sample }, needsApproval: ({ annotations }) => annotations?.destructiveHint === true })
  toolLoop({ desk: first }, { store: memoryStore() })
  const waiting: Waiting[] = await loop.waiting([{ role: "user", content: "t" }])
  const answers: Answers = Object.fromEntries(waiting.map(({ id, question }) => [id, question ? engine.questionForm(question).accept() : { action: "accept" }]))
  await loop.answer([{ role: "user", content: "t" }], answers)
  await tools(first, { tool: (run, { name }) => ({ run, name }) })
  const server: { name: string; listTools(): Promise<{ name: string }[]> } = mcpServer(first)
  // @ts-expect-error: a host gives sessions, not the server's url
  mcpServer(server.name)
  // @ts-expect-error: a result is there only when the call is done
  outcome.result
  return outcome.status === "done" ? outcome.result : undefined
}
`
