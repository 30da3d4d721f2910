import assert from "node:assert/strict"
import test from "node:test"

import { load } from "../../../hosts/js/dist/node.js"
import { argumentFields } from "../argument-fields.js"
import { choices, complaint, given, hint, typedOf } from "../field.js"

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
    [{ kind: "choices", minItems: 1, options: [{ value: "a", title: "" }, { value: "b", title: "" }] }, "Choose 1 to 2."],
  ]
  for (const [field, want] of tests) assert.equal(hint(/** @type {Field} */ ({ name: "f", ...field })), want)
})

test("choices of one name are told apart", () => {
  const options = [
    { value: "a", title: "Same" },
    { value: "b", title: "Same" },
    { value: "", title: "" },
  ]
  assert.deepEqual(choices({ name: "f", kind: "choice", options }), [
    { value: '"a"', label: "Same (a)" },
    { value: '"b"', label: "Same (b)" },
    { value: '""', label: "(empty)" },
  ])
})

test("what is wrong with a field is a sentence, and nothing in it is hidden", () => {
  assert.equal(complaint({ name: "n", kind: "string", title: "Na\u202eme" }, "must be at least 2 characters"), "Na<U+202E>me must be at least 2 characters")
})

test("a value as it stands in a box", () => {
  assert.deepEqual(['"a\\u00e9"', "1.0", ""].map(typedOf), ["aé", "1.0", ""])
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
    ['{"type":["string","null"]}', "x", 'must be JSON, such as "a text"'],
    ['{"type":["string","null"]}', '"x"', undefined],
    ['{"$ref":"#/x"}', "x", any],
    ['{"$ref":"#/x"}', "1", undefined],
  ]
  for (const [property, typed, want] of tests) {
    const filling = argumentFields(engine, { method: "tools/call", name: "t", title: "T", description: "", schema: `{"type":"object","properties":{"p":${property}}}` })
    assert.equal(filling.enter(/** @type {FormField} */ (filling.fields[0]), typed), want, `${typed} for ${property}`)
  }
})
