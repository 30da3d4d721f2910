import assert from "node:assert/strict"
import test from "node:test"

import { texts as kit } from "../german.js"
import { texts as sentences } from "../german-sentences.js"
import { speak, t } from "../language.js"
import { load } from "../../../hosts/js/dist/node.js"
import { texts as page } from "../../page/src/german.js"
import { wording } from "../problem.js"
import { said, saidIn, sources, unsaid } from "../../../hosts/js/test/said.js"

const places = { kit: { folder: new URL("../", import.meta.url), table: kit }, page: { folder: new URL("../../page/src/", import.meta.url), table: page } }

/** What a text has places for. @param {string} text */
const holes = (text) => [...new Set(text.match(/\{\d\}/g))].sort()

for (const [name, { folder, table }] of Object.entries(places)) {
  test(`${name}: all that is said has a German text with the same places, and no other text is kept`, () => {
    const all = saidIn(folder)
    assert.ok(all.length > 100, "there is something to look up")
    assert.deepEqual(all.filter(({ text }) => !Object.hasOwn(table, text)), [])
    for (const [english, german] of Object.entries(table)) {
      assert.deepEqual(holes(german), holes(english), english)
      assert.notEqual(german.trim(), "", english)
    }
    const used = new Set(all.map(({ text }) => text))
    assert.deepEqual(Object.keys(table).filter((text) => !used.has(text)), [])
  })

  test(`${name}: no sentence stands in the code but by t`, () => {
    const literals = (/** @type {string} */ source) => unsaid(source).replaceAll(/class: [^,}]*/g, "").match(/"[^"\n]*"|`[^`]*`/g) ?? []
    const sentences = sources(folder).flatMap(({ file, source }) => literals(source).filter(isSentence).map((text) => `${file}: ${text}`))
    assert.deepEqual(sentences, unspoken[name])
  })
}

/** Words with a space between them, or one that begins like a label. @param {string} literal */
function isSentence(literal) {
  const text = literal.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, "")
  return /[A-Za-z’]{2,} [A-Za-z’]{2,}/.test(text) || /^[A-Z][a-z]+[.?…]?$/.test(text)
}

/** What looks like a sentence, and is for no person, or what a server or a log reads. @type {Record<string, string[]>} */
const unspoken = {
  kit: [
    "question.js: `${model}, changed by a person`", // the server reads it
    'spoken.js: "{0} has {1} bytes, and limits.{2} allows {3}"', // a key
    'spoken.js: "no answer within {0} ms ({1})"',
    'spoken.js: "a question was open for longer than {0} ms ({1})"',
  ],
  page: [
    'accounts.js: "Parley in the browser"', // a name
    'catalogue.js: "left out "', // how the session begins what it tells
    'combobox.js: "Enter"', // keys
    'combobox.js: "Escape"',
    'composer.js: "Escape"',
    'control-union.js: "options beside"', // a class
    'controls.js: "options beside"',
    'field.js: "Enter"',
    'language.js: "English"', // as those call it who speak it
    'language.js: "Deutsch"',
    'question-sample.js: "Enter"',
    'rail.js: "Parley"',
    'sampler.js: "the example model"', // the server reads it
    'sampler.js: "I have nothing to say to that."', // by the model
    'start.js: "Parley in the browser"',
    "start.js: `servers.json: HTTP status ${response.status}`", // for who runs the page
    'waiting.js: "Parley"',
  ],
}

test("what is said is found in sources", () => {
  const source = "a(t`One ${b(t`two ${3}`, { c: `d` })} \\`three\\``, nt`no`, \"Left here\") // t is a tag"
  assert.deepEqual(said(source), ["One {0} `three`", "two {0}"])
  assert.ok(isSentence('"Left here"') && unsaid(source).includes("Left here") && !unsaid(source).includes("three"))
})

test("a text of another language gets its values in its own order, and numbers in its spelling", (c) => {
  c.after(() => speak("en"))
  const text = () => t`${"a"} has ${12345.5}, not {0}`
  assert.equal(text(), "a has 12,345.5, not a")
  speak("de-CH", { "{0} has {1}, not {0}": "no" })
  speak("de", { "{0} has {1}, not {0}": "{1} bei {0}" })
  assert.equal(text(), "12.345,5 bei a")
  assert.equal(t`Nobody has translated this`, "Nobody has translated this")
  assert.equal(t`${"{0}{1}"} has ${1}, not {0}`, "1 bei {0}{1}", "what goes in is not read")
})

test("a problem with an entry is said in the person's language", async () => {
  const engine = await load()
  const wrong = [
    ['"type":"string"', '"value":"{"'],
    ['"type":"number"', '"typed":""'],
    ['"type":"string"', '"value":"1"'],
    ['"type":"number"', '"typed":"x"'],
    ['"type":"integer"', '"typed":"x"'],
    ['"type":"boolean"', '"value":"1"'],
    ['"type":"string"', '"value":"\\"\\\\ud800\\""'],
    ['"type":"string","minLength":1', '"value":"\\"\\""'],
    ['"type":"string","minLength":2', '"typed":"a"'],
    ['"type":"string","maxLength":1', '"typed":"ab"'],
    ['"type":"string","maxLength":2', '"typed":"abc"'],
    ['"type":"number","minimum":2.5', '"typed":"1"'],
    [`"type":"number","minimum":${"1".repeat(50)}`, '"typed":"1"'],
    ['"type":"number","maximum":2.5', '"typed":"3"'],
    ['"type":"number"', '"typed":"1e100000000"'],
    ...["email", "uri", "date", "date-time"].map((format) => [`"type":"string","format":"${format}"`, '"typed":"x"']),
    ['"type":"string","enum":["a"]', '"typed":"b"'],
    ['"type":"array","items":{"type":"string","enum":["a"]}', '"value":"[\\"b\\"]"'],
    ['"type":"array","items":{"type":"string","enum":["a"]}', '"value":"[\\"a\\",\\"a\\"]"'],
    ['"type":"array","minItems":1,"items":{"type":"string","enum":["a","b"]}', '"value":"[]"'],
    ['"type":"array","minItems":2,"items":{"type":"string","enum":["a","b"]}', '"value":"[\\"a\\"]"'],
    ['"type":"array","maxItems":1,"items":{"type":"string","enum":["a","b"]}', '"value":"[\\"a\\",\\"b\\"]"'],
    ['"type":"number","exclusiveMinimum":0', '"typed":"0"'],
    ['"type":"number","exclusiveMaximum":1', '"typed":"1"'],
    ['"type":"number","multipleOf":0.5', '"typed":"0.7"'],
    ['"type":"array","items":{"type":"integer"}', '"typed":"a"'],
    ['"type":"array","items":{"type":"integer"},"minItems":2', '"typed":"1"'],
    ['"type":"array","items":{"type":"integer"},"maxItems":1', '"typed":"1\\n2"'],
    ['"type":"array","items":{"type":"integer"},"uniqueItems":true', '"typed":"1\\n1"'],
    ['"type":"array","items":{"type":"integer"}', '"value":"1"'],
    ['"type":["integer","string"]', '"typed":"1"'],
    ['"oneOf":[{"type":"string"},{"type":"string","minLength":2}]', '"value":"\\"ab\\""'],
  ]
  for (const [property, entry] of wrong) {
    const schema = `{"type":"object","properties":{"f":{${property}}},"required":["f"]}`
    const { problem } = engine.formCheck({ schema, field: "f", ...JSON.parse(`{${entry}}`) })
    assert.ok(problem, property)
    assert.equal(wording(problem.message, problem), problem.message)
    speak("xx", Object.fromEntries(Object.keys(sentences).map((text) => [text, `*${text}`])))
    const other = wording(problem.message, problem)
    speak("en")
    assert.ok(other.startsWith("*"), `${property}: ${other}`)
  }
})
