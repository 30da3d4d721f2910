// The forms that SDKs make, filled in by keyboard: each kind of schema, and the
// exact content that comes of it.

import assert from "node:assert/strict"

import { done } from "./scripted-server.js"
import { scene, test } from "./setting.js"
import { tabTo } from "./tab-to.js"

/** @import { Person } from "./person.js" */

/** A round that asks with a schema. @param {string | undefined} schema JSON text; none for no requestedSchema at all */
const asks = (schema) =>
  `"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Please."${schema === undefined ? "" : `,"requestedSchema":${schema}`}}}}}`

/** Somebody whose call is asked so. @param {string | undefined} schema @param {string} [sees] */
async function asked(schema, sees = "Please.") {
  const { person, server } = await scene.withScript({ answer: (_, n) => (n ? done("Thank you.") : asks(schema)) })
  await person.calls("x")
  await person.sees(sees)
  return { person, content: () => /"content":(\{.*?\})\}\}/.exec(server.received[1]?.body ?? "")?.[1] }
}

/** Asks with properties and returns what went back. @param {string} properties @param {(person: Person) => Promise<unknown>} fill by keyboard, in the end with the focus before the button @param {string} [more] keywords of the whole schema */
async function content(properties, fill, more = "") {
  const { person, content } = await asked(`{"type":"object",${more}"properties":{${properties}}}`)
  await person.focusIs("Desk asks")
  await fill(person)
  await tabTo(person, /^Review answer$/)
  await person.keys("Enter")
  await person.focusIs("Send this to Desk?")
  await tabTo(person, /^Send$/)
  await person.keys("Enter")
  await person.sees("Thank you.")
  return content()
}

/** Types a text where the focus comes next. @param {Person} person @param {RegExp} label @param {string} text */
async function types(person, label, text) {
  await tabTo(person, label)
  await person.keys(...text)
}

/** Empties what stands there. @param {Person} person @param {RegExp} label @param {string} [key] that leads there */
async function clears(person, label, key = "Tab") {
  await tabTo(person, label, key)
  await person.keys(...Array(12).fill("Backspace"))
}

const none = '{"type":"null"}'

test("one type or null: left empty it is left out, or null where something has to be sent", async () => {
  const got = await content(
    `"a":{"anyOf":[{"type":"integer"},${none}],"title":"A"},"b":{"type":["string","null"],"title":"B"},"c":{"anyOf":[{"type":"integer"},${none}],"default":5,"title":"C"},
     "d":{"type":"string","default":"x","title":"D"},"e":{"type":"integer","nullable":true,"default":null,"title":"E"},"f":{"enum":["s",null],"title":"F"},"g":{"type":["boolean","null"],"default":true,"title":"G"},
     "h":{"anyOf":[{"type":"number"},${none}],"title":"H"}`,
    async (person) => {
      assert.doesNotMatch(await person.reads(".question"), /null/)
      await clears(person, /^C(optional)?$/)
      await clears(person, /^D(optional)?$/)
      await person.sees("Left empty: the server may use its default.")
      await tabTo(person, /^Leave it empty$/) // of F: with nothing preselected
      await tabTo(person, /^Yes$/)
      await person.keys("ArrowDown", "ArrowDown")
      await person.focusIs("Leave it empty")
      await types(person, /^H(optional)?$/, "1.50")
    },
    '"required":["b","f"],',
  )
  assert.equal(got, '{"b":null,"c":null,"f":null,"g":null,"h":1.50}')
})

test("several types: the person picks one, and what they type is not guessed at", async () => {
  const got = await content('"a":{"anyOf":[{"type":"number","exclusiveMinimum":0},{"type":"string"}],"title":"Amount"},"b":{"type":["integer","string"],"default":"007","title":"B"}', async (person) => {
    await tabTo(person, /^A number$/)
    await person.keys(" ")
    await types(person, /^Amount, value$/, "0")
    await person.keys("Enter")
    await person.sees("Amount must be more than 0")
    await person.focusIs("Amount, value")
    await tabTo(person, /^A number$/, "Shift+Tab")
    await person.keys("ArrowDown")
    await person.focusIs("Text")
    await types(person, /^Amount, value$/, "007")
  }, '"required":["a"],')
  assert.equal(got, '{"a":"007","b":"007"}')
})

test("exclusive bounds and multiples are said and checked", async () => {
  const got = await content('"a":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1,"title":"A"},"b":{"type":"integer","minimum":0,"exclusiveMinimum":true,"multipleOf":5,"title":"B"}', async (person) => {
    await person.sees("A number, more than 0, less than 1.")
    await person.sees("a multiple of 5.")
    await types(person, /^A(optional)?$/, "1")
    await types(person, /^B(optional)?$/, "7")
    await person.sees("A must be less than 1")
    await person.sees("B must be a multiple of 5")
    await person.keys("Backspace", "5")
    await clears(person, /^A(optional)?$/, "Shift+Tab") // going round, Firefox leaves the page
    await person.keys(..."0.99")
  }, "")
  assert.equal(got, '{"a":0.99,"b":5}')
})

test("choices of any kind keep what the server wrote, and a const is an act of the person", async () => {
  const got = await content('"a":{"enum":[1,"1",true],"title":"A"},"b":{"const":true,"title":"I agree"},"c":{"oneOf":[{"const":1,"title":"One"},{"const":"1","title":"One"}],"title":"C"},"d":{"enum":[1,2],"default":2.0,"title":"D"}', async (person) => {
    assert.equal(await person.counts('.question input[type="radio"]:checked'), 3, "nothing is chosen but by a default, or where it can be left out")
    await tabTo(person, /^Leave it out$/)
    await person.keys("ArrowUp", "ArrowUp") // Safari's arrows do not go round
    await person.focusIs('"1"')
    await tabTo(person, /^Yes$/)
    await person.keys(" ")
    await tabTo(person, /^Leave it out$/)
    await person.keys("ArrowUp")
    await person.focusIs('One ("1")')
  }, '"required":["b"],')
  assert.equal(got, '{"a":"1","b":true,"c":"1","d":2}')
})

test("a const is asked for again, and not taken for given", async () => {
  const { person } = await asked('{"type":"object","required":["b"],"properties":{"b":{"const":true,"title":"I agree"}}}')
  await person.focusIs("Desk asks")
  await tabTo(person, /^Review answer$/)
  await person.keys("Enter")
  await person.sees("I agree must be filled in")
  await person.focusIs("Yes")
})

test("values of a list are added and removed", async () => {
  const got = await content('"a":{"type":"array","items":{"type":"string","minLength":2},"minItems":2,"uniqueItems":true,"title":"Tags"},"b":{"type":"array","items":{"type":"integer"},"default":[1,2.0],"title":"B"},"c":{"type":"array","items":{"type":"number"},"maxItems":1,"title":"C"}', async (person) => {
    await person.sees("How many values: at least 2. No value twice. Each value: At least 2 characters.")
    await types(person, /^Tags, value 1$/, "ab")
    await tabTo(person, /^Add a value$/)
    await person.sees("Tags must be at least 2 values")
    await person.keys("Enter")
    await person.focusIs("Tags, value 2")
    await person.keys(..."ab")
    await person.sees("Tags must not have a value twice")
    await person.keys("Tab")
    await person.focusIs("Remove value 2")
    await person.keys("Tab", "Enter")
    await person.focusIs("Tags, value 3")
    await person.keys(..."cd")
    await tabTo(person, /^Remove value 2$/, "Shift+Tab")
    await person.keys("Enter")
    await person.focusIs("Tags, value 2")
    await tabTo(person, /^C, value 1$/)
    await person.keys(..."1e2", "Tab", "Tab")
    assert.notEqual(await person.focus(), "Add a value", "there is room for one only")
    await tabTo(person, /^C, value 1$/, "Shift+Tab")
  })
  assert.equal(got, '{"a":["ab","cd"],"b":[1,2.0],"c":[1e2]}')
})

test("what is defined elsewhere in the schema", async () => {
  const got = await content('"a":{"$ref":"#/$defs/Si~1ze","title":"A"},"b":{"allOf":[{"$ref":"#/definitions/N"}],"default":3}', async (person) => {
    await tabTo(person, /^Leave it out$/)
    await person.keys("ArrowUp", "ArrowUp")
    await person.focusIs("s")
  }, '"$defs":{"Si/ze":{"enum":["s","l"]}},"definitions":{"N":{"type":"integer","title":"Count","maximum":9}},')
  assert.equal(got, '{"a":"s","b":3}')
})

test("what only the server checks is said beside the field, and once for the form", async () => {
  const got = await content('"a":{"type":"string","pattern":"^[A-Z]{3}$","title":"A"},"b":{"type":"string","format":"ipv4","not":{"const":"x"},"title":"B"},"c":{"type":"string","format":"email","pattern":"@","title":"C"},"d":{"type":"string","contentEncoding":"base64","title":"D"}', async (person) => {
    await person.sees("The server wants it to match “^[A-Z]{3}$”.")
    await person.sees("The server wants the format “ipv4”. The server checks more: not.")
    await person.sees("The server wants it encoded as “base64”.")
    await person.sees("The server checks more: minProperties, dependentRequired.")
    assert.equal((await person.reads(".question")).includes("“@”"), false, "beside a format that is checked")
    await types(person, /^A(optional)?$/, "abc")
  }, '"minProperties":1,"dependentRequired":{"a":["b"]},')
  assert.equal(got, '{"a":"abc"}')
})

test("a form that asks for a secret is refused, and says who refused it and why", async () => {
  for (const keyword of ['"format":"password"', '"writeOnly":true']) {
    const { person } = await asked(`{"type":"object","properties":{"pin":{"type":"string",${keyword}}}}`, "Parley refused what the server asks for")
    await person.sees("asks for a secret, and a form must not: the server has to use a page of its own for that. You were not asked")
    await person.sees("pin")
    assert.equal(await person.counts(".question"), 0)
  }
})

test("what is only shown is neither asked for nor sent", async () => {
  const got = await content('"a":{"type":"string","readOnly":true,"default":"A-7","title":"Number"},"b":{"type":"boolean","readOnly":true,"default":true,"title":"Paid"},"c":{"type":"string","title":"C"},"d":{"type":"integer","readOnly":true,"default":7,"title":"D"}', async (person) => {
    assert.match(await person.reads(".question"), /Number\s+A-7/)
    assert.match(await person.reads(".question"), /Paid\s+Yes/)
    assert.equal(await person.counts(".question input, .question textarea"), 2)
    await types(person, /^C(optional)?$/, "x")
  }, '"required":["d"],')
  assert.equal(got, '{"c":"x","d":7}')
})

test("titles, examples, defaults and what is deprecated are shown", async () => {
  const got = await content('"a":{"type":"integer","description":"How many","examples":[5,7],"deprecated":true,"title":"Count"},"b":{"type":"string","examples":["a b"],"default":7}', async (person) => {
    await person.sees("How many")
    await person.sees("A whole number. Deprecated. Such as 5, 7.")
    await person.sees("Such as “a b”.")
    await types(person, /^b(optional)?$/, "x")
  })
  assert.equal(got, '{"b":"x"}')
})

test("what cannot be drawn is refused, by name", async () => {
  const cannot = {
    "{}": "has no type that a form can show",
    true: "has no type that a form can show",
    '{"type":"object"}': "is an object, which a form cannot show",
    '{"type":"array","items":{"type":"object"}}': "is an object, which a form cannot show",
    '{"$ref":"#/properties/f"}': "refers to itself",
  }
  const schemas = Object.keys(cannot)
  let n = 0
  const { person } = await scene.withScript({ answer: () => asks(`{"type":"object","properties":{"f":${schemas[n++]}}}`) })
  for (const why of Object.values(cannot)) {
    await person.calls("x")
    await person.sees(why)
    await person.sees("Parley refused what the server asks for")
    await person.sees("Its author has to change the form.")
  }
})

test("a form without properties asks for a yes, and sends an empty object", async () => {
  for (const schema of [undefined, "{}", "true", "null", '{"type":"object"}']) {
    const { person, content } = await asked(schema)
    await person.focusIs("Desk asks")
    await tabTo(person, /^Yes$/)
    await person.keys("Enter")
    await person.sees("Thank you.")
    assert.equal(content(), "{}")
  }
})

test("a form that has no answer is refused", async () => {
  for (const schema of ["false", '{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}']) await asked(schema, "Parley refused what the server asks for")
})

test("what was filled in is there after a reload, with the type that was picked", async () => {
  const { person, content } = await asked('{"type":"object","properties":{"a":{"type":["number","string"],"title":"A"},"b":{"type":"array","items":{"type":"string"},"title":"B"}}}')
  await person.fill({ Text: true, "A, value": "7", "B, value 1": "x" })
  await person.press("Add a value")
  await person.fill({ "B, value 2": "y" })
  await person.reload()
  await person.sees("Please.")
  await person.answers({})
  await person.sees("Thank you.")
  assert.equal(content(), '{"a":"7","b":["x","y"]}')
})
