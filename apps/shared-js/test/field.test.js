import assert from "node:assert/strict"
import test from "node:test"

import { load } from "../../../hosts/js/dist/node.js"
import { argumentFields } from "../argument-fields.js"
import { choices, complaint, given, hint, typedOf, types } from "../field.js"
import { lines, shownOnly } from "../words.js"

/** @import { Field, FormField } from "../parley.js" */

const engine = await load()

test("what goes into a field is said in words", () => {
  /** @type {[Partial<Field>, string][]} */
  const tests = [
    [{ kind: "string" }, ""],
    [{ kind: "string", minLength: 2, maxLength: 2 }, "Exactly 2 characters."],
    [{ kind: "string", maxLength: 9 }, "At most 9 characters."],
    [{ kind: "string", format: "email", maxLength: 9 }, "An e-mail address."],
    [{ kind: "integer" }, "A whole number."],
    [{ kind: "integer", minimum: "1", maximum: "8" }, "A whole number, 1 to 8."],
    [{ kind: "number", minimum: "0.5" }, "A number, at least 0.5."],
    [{ kind: "boolean" }, ""],
    [{ kind: "choices" }, "Choose any."],
    [{ kind: "choices", minItems: 1, options: [{ value: '"a"', title: "" }, { value: '"b"', title: "" }] }, "Choose 1 to 2."],
    [{ kind: "number", exclusiveMinimum: "0", exclusiveMaximum: "9", multipleOf: "0.5" }, "A number, more than 0, less than 9, a multiple of 0.5."],
    [{ kind: "integer", minimum: "1", exclusiveMaximum: "1".repeat(99) }, `A whole number, at least 1, less than ${"1".repeat(40)}… (59 more characters).`],
    [{ kind: "list", items: { name: "f", kind: "integer", minimum: "1" }, minItems: 2, uniqueItems: true }, "How many values: at least 2. No value twice. Each value: A whole number, at least 1."],
    [{ kind: "string", deprecated: true, examples: ['"a\\u202eb"'], unchecked: [{ keyword: "pattern", value: "^a\u115f”. Parley says: fine" }, { keyword: "not" }] },
      'Deprecated. Such as “a\\u{202e}b”. The server wants it to match “^a<U+115F>". Parley says: fine”. The server checks more: not.'],
    [{ kind: "string", format: "email", unchecked: [{ keyword: "pattern", value: "@" }] }, "An e-mail address."],
  ]
  for (const [field, want] of tests) assert.equal(hint(/** @type {Field} */ ({ name: "f", ...field })), want)
})

test("choices of one name are told apart", () => {
  const options = [
    { value: '"a"', title: "Same" },
    { value: '"b"', title: "Same\u200b " },
    { value: '""', title: "" },
    { value: "true", title: "true" },
    { value: "false", title: "Never" },
    { value: '"1"', title: "One" },
    { value: "1", title: "One" },
    { value: "2", title: "Leave it out" },
    { value: "3", title: `${"W".repeat(150)}a` },
    { value: "4", title: `${"W".repeat(150)}b` },
  ]
  assert.deepEqual(choices({ name: "f", kind: "choice", options }), [
    { value: '"a"', label: 'Same ("a")' },
    { value: '"b"', label: 'Same<U+200B>  ("b")' },
    { value: '""', label: "(empty)" },
    { value: "true", label: "Yes", ours: true },
    { value: "false", label: "Never" },
    { value: '"1"', label: 'One ("1")' },
    { value: "1", label: "One (1)" },
    { value: "2", label: "Leave it out (2)" },
    { value: "3", label: `${"W".repeat(40)}… (111 more characters) (3)` },
    { value: "4", label: `${"W".repeat(40)}… (111 more characters) (4)` },
  ])
})

test("the types of a value are told apart by our words, and by the server's titles", () => {
  /** @type {FormField} */
  const field = { name: "f", kind: "union", title: "T", alternatives: [{ name: "f", title: "T", kind: "number" }, { name: "f", title: "A code", kind: "string" }, { name: "f", title: "T", kind: "string", format: "date" }, { name: "f", title: "T", kind: "number" }] }
  assert.deepEqual(types(field), [{ value: "0", label: "A number (0)" }, { value: "1", label: "A code (Text)", ours: false }, { value: "2", label: "A date", ours: true }, { value: "3", label: "A number (3)" }])
})

test("an answer in words: what is shown is what is sent", () => {
  /** @type {FormField[]} */
  const fields = [
    { name: "a", kind: "choice", options: [{ value: "1", title: "One" }, { value: '"1"', title: "Uno" }] },
    { name: "b", kind: "list", items: { name: "b", kind: "string" } },
    { name: "c", kind: "union", alternatives: [{ name: "c", kind: "number" }, { name: "c", kind: "boolean" }] },
    { name: "d", kind: "string", default: '"x"' },
    { name: "e", kind: "integer", nullable: true, required: true },
    { name: "f", kind: "string", readOnly: true, initial: '"A-7"' },
    { name: "g", kind: "string" },
    { name: "h", kind: "list", items: { name: "h", kind: "string" } },
  ]
  assert.deepEqual(lines(fields, '{"content":{"a":"1","b":["x","y, z"," "],"c":true,"e":null,"h":[]}}'), [
    { label: "a", value: "Uno" },
    { label: "b", value: 'x, "y, z", " "' },
    { label: "c", value: "Yes", ours: true },
    { label: "d", value: "left out: the server may use its default", ours: true },
    { label: "e", value: "left empty", ours: true },
    { label: "g", value: "left out", ours: true },
    { label: "h", value: "none", ours: true },
  ])
  assert.deepEqual(fields.slice(5, 6).map(shownOnly), [{ label: "f", value: "A-7" }])
})

test("what is wrong with a field is a sentence, and nothing in it is hidden", () => {
  assert.equal(complaint({ name: "n", kind: "string", title: "Na\u202eme" }, "must be at least 2 characters"), "Na<U+202E>me must be at least 2 characters")
})

test("a value as it stands in a box", () => {
  assert.deepEqual(['"a\\u00e9"', "1.0", "", "null"].map(typedOf), ["aé", "1.0", "", ""])
})

test("arguments that no form can ask for are typed as JSON", () => {
  const schema = '{"type":"object","properties":{"id":{"type":"integer"},"filter":{"type":"object"},"code":{"type":"string","pattern":"^a"}},"required":["id"]}'
  const filling = argumentFields(engine, { method: "tools/call", name: "t", title: "T", description: "", schema }, '{"filter":{"a": 1.0},"id":7}')
  const { fields } = filling
  assert.deepEqual(
    fields.map(({ name, kind, initial }) => [name, kind, initial]),
    [
      ["id", "integer", "7"],
      ["filter", "string", '"{\\"a\\": 1.0}"'],
      ["code", "string", undefined],
    ],
  )
  const [id, filter, code] = /** @type {[FormField, FormField, FormField]} */ (fields)
  assert.equal(hint(filter), 'As JSON, such as {"key": true}.')
  assert.equal(filling.enter(filter, "{a"), 'must be a JSON object, such as {"key": true}')
  assert.equal(filling.choose(filter, '"{a"'), 'must be a JSON object, such as {"key": true}')
  assert.equal(filling.enter(filter, "[]"), 'must be a JSON object, such as {"key": true}')
  assert.deepEqual([filling.enter(id, "7"), filling.enter(filter, ""), filling.enter(code, "")], [undefined, undefined, undefined])
  assert.equal(filling.params(), '{"name":"t","arguments":{"id":7}}')
  assert.equal(filling.choose(filter, filter.initial ?? ""), undefined)
  assert.equal(filling.params(), '{"name":"t","arguments":{"id":7,"filter":{"a": 1.0}}}')
  assert.deepEqual([given(filter, filling.accept()), given(code, filling.accept())], ['"{\\"a\\": 1.0}"', ""])
})

test("JSON is of the types that its property names", () => {
  const array = 'must be a JSON array, such as ["a", 1]'
  const any = 'must be JSON, such as {"key": true}'
  /** @type {[string, string, string | undefined][]} */
  const tests = [
    ['{"type":"array"}', "[]", undefined],
    ['{"type":"array"}', "{}", array],
    ['{"type":"array"}', "[1,]", array],
    ['{"type":["object","null"]}', "null", undefined],
    ['{"type":["object","null"]}', "1", "must be JSON of type object, null"],
    ['{"type":["object","integer"]}', "1.0", undefined],
    ['{"type":["object","number"]}', "1.5", undefined],
    ['{"type":["object","integer"]}', "1.5", "must be JSON of type object, integer"],
    ['{"type":["object","array"]}', "x", any],
    ['{"type":["string","object"]}', "x", 'must be JSON, such as {"key": true}'],
    ['{"type":["string","object"]}', '"x"', undefined],
    ['{"$ref":"#/x"}', "x", any],
    ['{"$ref":"#/x"}', "1", undefined],
  ]
  for (const [property, typed, want] of tests) {
    const filling = argumentFields(engine, { method: "tools/call", name: "t", title: "T", description: "", schema: `{"type":"object","properties":{"p":${property}}}` })
    assert.equal(filling.enter(/** @type {FormField} */ (filling.fields[0]), typed), want, `${typed} for ${property}`)
  }
})

test("an argument refers to what the schema defines, may be a secret, and is picked by its type", () => {
  const schema = '{"type":"object","minProperties":1,"$defs":{"Size":{"enum":["s","l"]}},"properties":{"size":{"$ref":"#/$defs/Size"},"pin":{"type":"string","format":"password"},"n":{"anyOf":[{"type":"integer"},{"type":"string"}]},"tags":{"type":"array","items":{"type":"string"}}}}'
  const filling = argumentFields(engine, { method: "tools/call", name: "t", title: "T", description: "", schema })
  assert.deepEqual(filling.fields.map(({ name, kind }) => [name, kind]), [["size", "choice"], ["pin", "string"], ["n", "union"], ["tags", "list"]])
  assert.deepEqual(filling.unchecked, undefined, "a schema that no form can ask for has no hint of its own")
  const [size, pin, n, tags] = /** @type {[FormField, FormField, FormField, FormField]} */ (filling.fields)
  assert.deepEqual([filling.choose(size, '"l"'), filling.enter(pin, "1234"), filling.enter(n, "007", 1), filling.enter(tags, "a\nb")], [undefined, undefined, undefined, undefined])
  assert.equal(filling.params(), '{"name":"t","arguments":{"size":"l","pin":"1234","n":"007","tags":["a","b"]}}')
})
