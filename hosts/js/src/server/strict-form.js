// Holds the forms of a server to what MCP allows, because other clients are strict. What says the same in other words is
// rewritten. The rules are in hosts/testdata/forms; the servers in Go and Python have them, too.

import { advice, kinds, rounded, secret } from "./form-keywords.js"
import { byName, compare } from "./record.js"

/** @typedef {import("./form-keywords.js").Schema} Schema */

/**
 * A form as it is asked. An answer may have null in `nullable` fields all the same, which counts as left out. Those in
 * `empty` are null for the handler if they are left out. A `closed` form takes no answers to what it does not ask.
 *
 * @typedef {{schema: any, nullable: Set<string>, empty: Set<string>, closed: boolean}} Form
 */

/** @typedef {{value: any, title?: string}} Option */

const mostHops = 16 // of references
const mostFields = 128
const mostOptions = 1024

/** What forbids all answers but those that are asked for. */
const closing = ["additionalProperties", "unevaluatedProperties"]

/** What is beside a reference counts, and what it leads to does not. */
const labels = ["title", "description", "default"]

/** Reads the form that a schema asks with. Throws a TypeError if MCP has no such form. @param {any} schema @returns {Form} */
export function strictForm(schema) {
  const given = JSON.parse(JSON.stringify(schema ?? {}))
  /** What is read. */
  let at = "a form"

  /** @param {string} keyword @param {string} [what] @returns {never} */
  function refuse(keyword, what = advice(keyword)) {
    throw new TypeError(`parley: MCP allows no such "${keyword}" for ${at}: ${what}`)
  }

  /** What a $ref leads to. @param {unknown} pointer */
  function led(pointer) {
    if (typeof pointer !== "string" || !pointer.startsWith("#/")) return refuse("$ref")
    let found = given
    for (const step of pointer.slice(2).split("/")) {
      const name = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~")
      if (!isObject(found) || !Object.hasOwn(found, name)) return refuse("$ref")
      found = found[name]
    }
    return found
  }

  /** A schema in which a keyword stands for another schema. @param {Schema} schema @param {string} keyword @param {unknown} other */
  function merged(schema, keyword, other) {
    const { [keyword]: _, ...own } = schema
    if (!isObject(other)) return refuse("type")
    for (const [name, value] of Object.entries(other)) {
      if (Object.hasOwn(own, name) && !labels.includes(name) && byName(own[name]) !== byName(value)) refuse(keyword)
    }
    return { ...other, ...own }
  }

  /** What a schema stands for, without references and without null. @param {unknown} schema @param {number} [hops] @returns {[Schema, nullable: boolean]} */
  function plain(schema, hops = 0) {
    if (!isObject(schema)) return refuse("type")
    if (hops > mostHops) return refuse("$ref")
    if (Object.hasOwn(schema, "$ref")) return plain(merged(schema, "$ref", led(schema.$ref)), hops + 1)
    if (Object.hasOwn(schema, "allOf")) {
      return Array.isArray(schema.allOf) && schema.allOf.length === 1 ? plain(merged(schema, "allOf", schema.allOf[0]), hops + 1) : refuse("allOf")
    }
    const found = Object.fromEntries(Object.entries(schema).filter(([name, value]) => !saysNothing(name, value)))
    let nullable = found.nullable === true && delete found.nullable
    for (const [keyword, nothing] of [["type", "null"], ["enum", null]]) {
      const list = found[`${keyword}`]
      if (!Array.isArray(list)) continue
      const others = list.filter((one) => one !== nothing)
      if (others.length > 0 && others.length < list.length) nullable = true
      found[`${keyword}`] = keyword === "type" && others.length === 1 ? others[0] : others
    }
    for (const keyword of ["anyOf", "oneOf"]) {
      if (!Object.hasOwn(found, keyword)) continue
      if (!Array.isArray(found[keyword])) return refuse(keyword)
      /** @type {[Schema, boolean][]} */
      const entries = found[keyword].map((/** @type {unknown} */ entry) => plain(entry, hops + 1))
      const others = entries.map(([entry]) => entry).filter((entry) => entry.type !== "null" && entry.const !== null)
      if (others.length < entries.length || entries.some(([, also]) => also)) nullable = true
      if (others.length === 1 && !Object.hasOwn(/** @type {Schema} */ (others[0]), "const")) {
        const [one, also] = plain(merged(found, keyword, others[0]), hops + 1)
        return [one, nullable || also]
      }
      found[keyword] = others
    }
    return [found, nullable]
  }

  /** The choices of a list of schemas. @param {string} keyword @param {Schema[]} entries @returns {Option[]} */
  function options(keyword, entries) {
    return entries.flatMap(({ const: value, enum: values, type = "string", title, ...stray }) => {
      if (type !== "string" || (value === undefined) !== Array.isArray(values)) return refuse(keyword)
      for (const [name] of sorted(stray)) refuse(name, advice(keyword))
      if (title !== undefined && typeof title !== "string") refuse("title")
      return values?.map((/** @type {unknown} */ value) => ({ value })) ?? { value, title }
    })
  }

  /** A schema whose choices, if it has any, are an enum, or a oneOf if they have titles. @param {Schema} schema @returns {Schema} */
  function chosen(schema) {
    const [keyword, another] = ["const", "enum", "anyOf", "oneOf"].filter((name) => Object.hasOwn(schema, name))
    if (keyword === undefined) return schema
    const { [keyword]: list, type = "string", ...rest } = schema
    if (another !== undefined || type !== "string") return refuse(another ?? keyword)
    const values = keyword === "const" ? [list] : keyword === "enum" ? list : undefined
    if (values !== undefined && !Array.isArray(values)) return refuse(keyword)
    /** @type {Option[]} */
    const found = values?.map((/** @type {unknown} */ value) => ({ value, title: "" })) ?? options(keyword, list)
    const all = found.map(({ value }) => value)
    const alike = keyword !== "enum" && new Set(all).size < all.length
    if (all.length === 0 || all.length > mostOptions || alike || !all.every((value) => typeof value === "string")) refuse(keyword)
    if (!found.some(({ title }) => title)) return { ...rest, type, enum: all }
    return { ...rest, type, oneOf: found.map(({ value, title }) => ({ const: value, title: title || value })) }
  }

  /** The choices of a list. @param {unknown} items @returns {Schema} */
  function listed(items) {
    const { type, enum: values, oneOf, title, description, default: _, ...stray } = chosen(plain(items ?? refuse("items"))[0])
    for (const [name] of sorted(stray)) refuse(name)
    if (!values && !oneOf) return refuse("items")
    return values ? { type, enum: values } : { anyOf: oneOf }
  }

  /** @param {unknown} property @returns {[Schema, nullable: boolean, empty: boolean]} */
  function field(property) {
    const [found, nullable] = plain(property)
    const { default: initial, ...rest } = chosen(found)
    const schema = initial === null || initial === undefined ? rest : { ...rest, default: initial }
    if (/^(number|integer)$/.test(schema.type) && schema.multipleOf === 1) {
      schema.type = "integer"
      delete schema.multipleOf
    }
    if (schema.type === "integer") exclusive(schema)
    if (schema.type === "array") {
      schema.items = listed(schema.items)
      delete schema.uniqueItems // the same choice is not there twice
    }
    const may = kinds[schema.enum || schema.oneOf ? "choice" : schema.type]
    if (!may) return refuse("type")
    for (const [name, value] of sorted(schema)) {
      if (may[name]?.(value, schema)) continue
      if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) refuse(name, rounded)
      refuse(name, name === "format" && value === "password" ? secret : undefined)
    }
    if (nullable && schema.default !== undefined) refuse("default")
    return [schema, nullable, initial === null]
  }

  const { type = "object", properties = {}, required, ...rest } = plain(given)[0]
  if (type !== "object") refuse("type")
  if (!isObject(properties) || Object.keys(properties).length > mostFields) refuse("properties")
  const closed = closing.some((name) => rest[name] === false)
  for (const [name, value] of sorted(rest)) {
    if (closing.includes(name) && (typeof value === "boolean" || byName(value) === "{}")) delete rest[name]
    else if (!["$schema", "title", "description"].includes(name) || typeof value !== "string") refuse(name)
  }
  const asked = required === undefined ? [] : required
  if (!Array.isArray(asked) || !asked.every((name) => typeof name === "string") || new Set(asked).size < asked.length) return refuse("required")
  const nullable = new Set()
  const empty = new Set()
  /** @type {Schema} */
  const fields = {}
  for (const name of [...Object.keys(properties), ...asked]) {
    at = `the field ${JSON.stringify(name)} of a form`
    if (!Object.hasOwn(properties, name)) refuse("required")
    const [schema, mayBeNull, isNull] = field(properties[name])
    Object.defineProperty(fields, name, { value: schema, enumerable: true, configurable: true })
    if (mayBeNull) nullable.add(name)
    if (isNull || (mayBeNull && asked.includes(name))) empty.add(name)
  }
  const needed = asked.filter((name) => !nullable.has(name))
  const strict = { ...rest, type, properties: fields, ...(required !== undefined && (needed.length > 0 || asked.length === 0) && { required: needed }) }
  return { schema: byName(strict) === byName(given) ? schema : strict, nullable, empty, closed }
}

/** A bound of whole numbers that is outside of them, as the nearest inside. @param {Schema} schema */
function exclusive(schema) {
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum = -Infinity, maximum = Infinity } = schema
  if (isSafe(above) && typeof minimum === "number") {
    schema.minimum = Math.max(minimum, Math.floor(above) + 1)
    delete schema.exclusiveMinimum
  }
  if (isSafe(below) && typeof maximum === "number") {
    schema.maximum = Math.min(maximum, Math.ceil(below) - 1)
    delete schema.exclusiveMaximum
  }
}

/** A number whose neighbours are numbers of JavaScript, too. @param {unknown} value @returns {value is number} */
const isSafe = (value) => typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER

/** A part of a URI without its escapes. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Whether a keyword of a schema says nothing about its answers. @param {string} name @param {unknown} value */
function saysNothing(name, value) {
  if (["readOnly", "writeOnly", "deprecated", "nullable", "uniqueItems"].includes(name)) return value === false
  return ["$defs", "definitions", "$id", "$anchor", "$comment"].includes(name)
}

/** The members of a schema by their names: of several that are wrong, the first is told. @param {Schema} schema */
const sorted = (schema) => Object.entries(schema).sort(([a], [b]) => compare(a, b))

/** @param {unknown} value @returns {value is Schema} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)
