import { Code, Engine, formHints, InstanceError, ParleyError, ProblemCode, translate } from "../../dist/index.js"
import { compile } from "../../dist/engine/compile.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { foreign, limited } from "../modules.js"

/** @import { Env } from "../suite.js" */

const ask = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"who":{"method":"roots/list"}}}}`
const roots = { capabilities: { roots: {} } }

/** The engine without a driver. @param {Env} env */
export default function engine({ test, load, wasm, module }) {
  test("versions that differ are both named", async () => {
    contains((await thrown(() => new Engine(foreign(7)), "version 7")).message, /version 7, this package version 3/)
    contains((await thrown(() => new Engine(foreign()), "another module")).message, "not Parley's")
  })

  test("options that cannot be used are refused with the engine's code", async () => {
    const engine = await load()
    const session = engine.newSession()
    const error = await thrown(() => session.call("tools/call", "[]"), "params that are no object")
    ok(error instanceof ParleyError, "a ParleyError")
    equal(error.code, Code.options)
    contains(error.message, "params")
    session.free()
    equal(engine.live, 0, "live")
  })

  test("a call says what it is, and its session can be freed twice", async () => {
    const engine = await load()
    const session = engine.newSession({ transport: "requests" })
    const call = session.call("tools/call", { name: "größe" }, { ...roots, id: "call-1", peer: "shop" })
    const { method, params, capabilities, id, peer, form, roots: canList, questions } = session.info(call)
    equal([method, params, capabilities, id, peer], ["tools/call", '{"name":"größe"}', '{"roots":{}}', "call-1", "shop"])
    equal([form ?? false, canList, questions], [false, true, 0])
    session.free()
    session.free()
    equal(engine.live, 0, "live")
    equal((await thrown(() => session.step(0, { type: "tick" }), "a step of a freed session")).code, Code.order)
  })

  test("values stay as exact as they came", async () => {
    const engine = await load()
    const params = '{"name":"t","arguments":{"n":1.0,"big":9007199254740993,"lone":"\\ud800","e":1E400}}'
    const session = engine.newSession({ transport: "requests" })
    const call = session.call("tools/call", params)
    const [request] = session.step(0, { type: "begin", call })
    equal(request, { type: "request", exchange: 1, call, leg: 1, method: "tools/call", params, capabilities: "{}" })
    const result = '{"content":[],"n":1.0,"big":9007199254740993,"lone":"\\ud800"}'
    equal(session.step(1, { type: "message", exchange: 1, body: `{"jsonrpc":"2.0","id":1,"result":${result}}`, last: true }), [{ type: "done", result, call }])
    session.free()
  })

  test("a form is read, and what is typed into it checked", async () => {
    const engine = await load()
    const schema = `{"type":"object","properties":{"size":{"type":"string","oneOf":[{"const":"s","title":"Small"}]},"n":{"type":"integer","maximum":9,"default":3}},"required":["size"]}`
    const form = engine.form(schema)
    equal(form.fields?.map(({ name, kind, required, options, maximum }) => ({ name, kind, required, options, maximum })), [
      { name: "size", kind: "choice", required: true, options: [{ value: '"s"', title: "Small" }] },
      { name: "n", kind: "integer", maximum: "9" },
    ])
    equal(form.fields && form.defaults, '{"n":3}')
    equal(engine.formCheck({ schema, field: "size", typed: "s" }), { value: '"s"' })
    equal(engine.formCheck({ schema, field: "n", value: "7" }), { value: "7" })
    const { problem } = engine.formCheck({ schema, field: "n", typed: "ten" })
    equal(problem?.property, "n")
    ok(problem?.message, "words for a person")
    equal(engine.form('{"type":"array"}').fields, undefined)
    equal((await thrown(() => engine.formCheck({ schema, field: "other", typed: "" }), "a field that is not there")).code, Code.order)
  })

  test("what is wrong with an entry has a code", async () => {
    const engine = await load()
    const words = { length: '"minLength":2,"maxLength":3', one: '"minLength":1,"maxLength":1' }
    /** @type {[property: string, entry: {typed: string} | {value: string}, code: keyof typeof ProblemCode][]} */
    const wrong = [
      ['"type":"string"', { value: "{" }, "malformed"],
      ['"type":"number"', { typed: "" }, "missing"],
      ['"type":"string"', { value: "1" }, "wrongKind"],
      ['"type":"number"', { typed: "many" }, "wrongKind"],
      ['"type":"integer"', { typed: "1.5" }, "wrongKind"],
      ['"type":"boolean"', { value: "1" }, "wrongKind"],
      ['"type":"string"', { value: '"\\ud800"' }, "notText"],
      [`"type":"string",${words.length}`, { typed: "a" }, "tooShort"],
      [`"type":"string",${words.one}`, { value: '""' }, "tooShort"],
      [`"type":"string",${words.length}`, { typed: "abcd" }, "tooLong"],
      [`"type":"string",${words.one}`, { typed: "ab" }, "tooLong"],
      ['"type":"number","minimum":2.5', { typed: "2" }, "tooSmall"],
      [`"type":"number","minimum":${"1".repeat(50)}`, { typed: "2" }, "tooSmall"],
      ['"type":"integer","maximum":8', { typed: "9" }, "tooLarge"],
      ['"type":"number"', { typed: "1e100000000" }, "badExponent"],
      ...["email", "uri", "date", "date-time"].map((format) => /** @type {typeof wrong[number]} */ ([`"type":"string","format":"${format}"`, { typed: "none" }, "badFormat"])),
      ['"type":"string","enum":["a"]', { typed: "b" }, "noChoice"],
      ['"type":"array","items":{"type":"string","enum":["a"]}', { value: '["b"]' }, "noChoice"],
      ['"type":"array","items":{"type":"string","enum":["a"]}', { value: '["a","a"]' }, "chosenTwice"],
      ['"type":"array","minItems":1,"items":{"type":"string","enum":["a","b"]}', { value: "[]" }, "tooFew"],
      ['"type":"array","minItems":2,"items":{"type":"string","enum":["a","b"]}', { value: '["a"]' }, "tooFew"],
      ['"type":"array","maxItems":1,"items":{"type":"string","enum":["a","b"]}', { value: '["a","b"]' }, "tooMany"],
      ['"type":"number","exclusiveMinimum":0.5', { typed: "0.50" }, "notAbove"],
      ['"type":"number","exclusiveMaximum":1e1', { typed: "10" }, "notBelow"],
      ['"type":"integer","multipleOf":5', { typed: "7" }, "notMultiple"],
      ['"type":"array","items":{"type":"integer"}', { typed: "1\nb" }, "badValue"],
      ['"type":"array","items":{"type":"string"},"uniqueItems":true', { typed: "b\nb" }, "repetition"],
      ['"oneOf":[{"type":"string"},{"type":"string","minLength":2}]', { value: '"ab"' }, "ambiguous"],
    ]
    for (const [property, entry, code] of wrong) {
      const schema = `{"type":"object","properties":{"f":{${property}}},"required":["f"]}`
      const { problem } = engine.formCheck({ schema, field: "f", ...entry })
      equal([property, problem?.message, problem?.code], [property, problem?.message, ProblemCode[code]])
    }
    equal(engine.form('{"type":"array"}').problem?.code, ProblemCode.unsupported)
    equal(engine.form('{"type":"object","properties":{"f":{"type":"string","format":"password"}}}').problem?.code, ProblemCode.secret)
    const form = engine.questionForm({ params: '{"requestedSchema":{"type":"object","properties":{"f":{"type":"string","minLength":2}}}}' })
    const [field] = form.fields
    if (!field) throw new Error("no field")
    const said = form.enter(field, "a")
    equal([form.problemOf(field)?.code, form.problemOf(field)?.message, field.minLength], [ProblemCode.tooShort, said, 2], "the bound is the field's")
    form.enter(field, "ab")
    equal(form.problemOf(field), undefined)
  })

  test("a question's form is filled in, and spelled as the server and the person did", async () => {
    const engine = await load()
    const schema = `{"type":"object","properties":{"n":{"type":"number","default":1.0,"maximum":12345678901234567890.5},"__proto__":{"type":"string"},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]}},"late":{"type":"boolean"}},"required":["n"]}`
    const params = `{"message":"M","x":[{"requestedSchema":1}], "requestedSchema" : ${schema} }`
    const form = engine.questionForm({ params })
    equal([form.message, form.fields.map(({ name, initial, maximum }) => [name, initial, maximum])], ["M", [["n", "1.0", "12345678901234567890.5"], ["__proto__", undefined, undefined], ["tags", undefined, undefined], ["late", undefined, undefined]]])
    const [n, proto, tags, late] = form.fields
    if (!n || !proto || !tags || !late) throw new Error("a field is missing")
    equal(form.accept(), '{"action":"accept","content":{}}')
    equal([form.choose(tags, '["b"]'), form.enter(proto, "x"), form.enter(n, "2.50"), form.enter(late, "")], [undefined, undefined, undefined, undefined])
    equal(form.accept(), '{"action":"accept","content":{"n":2.50,"__proto__":"x","tags":["b"]}}', "in the schema's order")
    contains(form.enter(n, "many"), "must be a number")
    contains(form.choose(tags, '["c"]'), "must be")
    equal(form.accept(), '{"action":"accept","content":{"__proto__":"x"}}', "what is wrong does not stay")
    const again = engine.questionForm({ params, earlier: '{"n":3.0,"tags":"none","late":true}' })
    equal(again.fields.map(({ initial }) => initial), ["3.0", undefined, undefined, "true"], "what was filled in earlier, where it still fits")
  })

  test("forms that SDKs make: options are JSON text, a type is picked, and what was left empty is told", async () => {
    const engine = await load()
    const schema = `{"type":"object","minProperties":1,"required":["size","amount"],"properties":{
      "size":{"enum":["1",1,true,null],"default":1.0},
      "some":{"type":"array","items":{"enum":[1,2]},"default":[2.0,1]},
      "amount":{"anyOf":[{"type":"number","exclusiveMinimum":0},{"type":"string"},{"type":"null"}],"default":"007"},
      "tags":{"type":"array","items":{"type":"string"},"default":["a","b"]},
      "note":{"type":"string","default":"x","pattern":"^x"},
      "none":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":5},
      "id":{"type":"string","readOnly":true,"default":"A-7"}}}`
    const params = `{"message":"M","requestedSchema":${schema}}`
    const form = engine.questionForm({ params })
    equal([form.unchecked, form.unreadable], [[{ keyword: "minProperties" }], undefined])
    equal(form.fields.map(({ name, initial, alternative }) => [name, initial, alternative]), [["size", "1", undefined], ["some", "[2,1]", undefined], ["amount", '"007"', 1], ["tags", '["a","b"]', undefined], ["note", '"x"', undefined], ["none", "5", undefined], ["id", '"A-7"', undefined]], "what to start from, spelled as the options are")
    const [size, some, amount, tags, note, none, id] = form.fields
    if (!size || !some || !amount || !tags || !note || !none || !id) throw new Error("a field is missing")
    equal(size.options, [{ value: '"1"', title: '"1"' }, { value: "1", title: "1" }, { value: "true", title: "true" }])
    equal([form.choose(size, '"1"'), form.choose(some, "[1]"), form.enter(amount, "007", 1), form.enter(tags, "c\n\nd"), form.enter(note, ""), form.enter(none, ""), form.enter(id, "B")], Array(7).fill(undefined))
    equal(form.accept(), '{"action":"accept","content":{"size":"1","some":[1],"amount":"007","tags":["c","d"],"none":null}}')
    equal(form.fields.filter((field) => form.isLeftToDefault(field)).map(({ name }) => name), ["note"], "null is not left to the server")
    contains(form.enter(amount, "7"), "must be a value of one of the types")
    contains(form.enter(amount, "0", 0), "must be more than 0")
    equal([form.enter(amount, "7.50", 0), form.enter(size, "")], [undefined, undefined])
    contains(form.accept(), '"size":null,"some":[1],"amount":7.50,')
    equal(engine.questionForm({ params, earlier: '{"size":null,"amount":7.50,"none":null,"id":"B"}' }).fields.map(({ initial, alternative }) => [initial, alternative]), [[undefined, undefined], ["[2,1]", undefined], ["7.50", 0], ['["a","b"]', undefined], ['"x"', undefined], [undefined, undefined], ['"A-7"', undefined]])

    equal(formHints(note).map((hint) => translate(hint)), ["The server wants it to match “^x”."])
    equal(formHints(form).map((hint) => translate(hint)), ["The server checks more: minProperties."])
    const hostile = { deprecated: true, examples: ["5", '"a\\u202eb”c"'], unchecked: [{ keyword: "format", value: `v4”. Parley says: fine. “${"x".repeat(99)}` }, { keyword: "contentEncoding", value: "base64" }, { keyword: "if" }, { keyword: "not" }] }
    equal(formHints(hostile).map((hint) => translate(hint)), ["Deprecated.", 'Such as 5, “a\\u{202e}b"c”.', `The server wants the format “v4". Parley says: fine. "${"x".repeat(35)}…”.`, "The server wants it encoded as “base64”.", "The server checks more: if, not."])
    equal(formHints({ ...hostile, deprecated: false, examples: [], format: "email" }).length, 1, "beside a known format")

    const any = engine.questionForm({ params: '{"requestedSchema":{"type":"object","properties":{"f":{"type":"object"}}}}' })
    equal([any.fields, any.unreadable?.property], [[], "f"])
    equal((await thrown(() => any.accept(), "it is the host's to draw")).code, Code.order)
  })

  test("a trap ends the calls of its instance, and what was kept of one continues in another", async () => {
    const engine = new Engine(limited(await wasm(), 40))
    const session = engine.newSession({ transport: "requests" })
    const other = session.call("tools/call", "{}", { ...roots, peer: "shop" })
    session.step(0, { type: "begin", call: other })
    session.step(1, { type: "message", exchange: 1, body: ask, last: true })
    const kept = session.snapshot(other)
    session.step(1, { type: "begin", call: session.call("tools/call") })

    const body = JSON.stringify("x".repeat(4 << 20))
    const trap = await thrown(() => session.step(2, { type: "message", exchange: 2, body, last: true }), "a response larger than the memory")
    ok(trap instanceof InstanceError && trap.cause instanceof Error && trap.code === Code.instance, "an InstanceError with its cause")
    equal(engine.live, 0, "live in a dead instance")
    ok((await thrown(() => session.step(3, { type: "tick" }), "a lost session")) instanceof InstanceError, "an InstanceError")

    const { method, peer, questions, inDoubt } = engine.snapshotInfo(kept)
    equal([method, peer, questions, inDoubt], ["tools/call", "shop", 1, undefined])
    const next = engine.newSession({ transport: "requests" })
    const call = next.restore(kept, { peer: "shop", can: { roots: true } })
    next.step(2, { type: "begin", call })
    const [request] = next.step(3, { type: "answer", call, ask: 1, raw: '{"roots":[]}' })
    equal(request, { type: "request", exchange: 1, call, leg: 2, method: "tools/call", params: '{"inputResponses":{"who":{"roots":[]}},"requestState":"s"}', capabilities: '{"roots":{}}' })
    equal(engine.live, 2, "a session and its call")
    equal((await thrown(() => engine.snapshotInfo("{}"), "no snapshot")).code, Code.snapshot)
    for (const one of [session, next]) one.free()
    equal(engine.live, 0, "live")
  })

  test("the module can come as a Module, bytes, a Response or a promise of one", async () => {
    const bytes = await wasm()
    const sources = {
      module: await module(),
      bytes,
      response: new Response(bytes),
      streamed: new Response(bytes, { headers: { "Content-Type": "application/wasm" } }),
      promise: Promise.resolve(new Response(bytes)),
    }
    for (const [name, source] of Object.entries(sources)) {
      const compiled = await compile(source)
      equal(new Engine(compiled).live, 0, name)
    }
    contains((await thrown(() => compile(new Response("", { status: 404 })), "404")).message, "404")
    ok((await thrown(() => compile(Uint8Array.of(0, 0x61, 0x73, 0x6d)), "half a module")) instanceof WebAssembly.CompileError, "a CompileError as it is")
  })
}
