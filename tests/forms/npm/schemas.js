// Two hundred zod schemas as people write them for forms, drawn by a seed: the same seed, the same schemas.
import * as z from "zod/v4"

import { Dice } from "./dice.js"

const many = 200
const names = "name age email city count price size when until note tags level color notify id web share team room".split(" ")
const words = "red green blue small large fast slow north south gold tin".split(" ")
const patterns = [/^[A-Z]{3}$/, /^\d{5}$/, /^[a-z]+-[0-9]+$/]
const colors = { Red: "red", Green: "green" }
const levels = { Low: 1, High: 2 }

const plain = (d) => d.one([z.string, z.number, z.int, z.boolean])()
const described = (d) => {
  const about = { description: "What the server wants to know.\nOn two lines." }
  if (d.below(2)) about.title = "Your choice"
  if (d.below(4) === 0) about.deprecated = true
  return d.below(2) ? plain(d).meta(about) : plain(d).describe(about.description)
}
const examples = (d) => d.one([z.string().meta({ examples: ["Oslo", "Bergen"] }), z.int().meta({ examples: [4] })])
const wrapped = (d) => {
  const schema = d.one([plain, plain, text, number, choice, formatted, several])(d)
  return d.one([(s) => s.optional(), (s) => s.optional(), (s) => s.nullable(), (s) => s.nullish()])(schema)
}
const preset = (d) =>
  d.one([
    z.string().default("some text"),
    z.string().prefault("some text"),
    z.string().catch("some text"),
    z.int().default(3),
    z.number().default(1.5),
    z.boolean().default(false),
    z.enum(words.slice(0, 3)).default("green"),
    z.array(z.string()).default([]),
    z.array(z.enum(["a", "b", "c"])).default(["a"]),
    z.string().nullable().default(null),
    z.int().nullable().default(5),
  ])
const choice = (d) =>
  d.one([
    z.enum(d.some(words)),
    z.enum(d.some(words)),
    z.enum(colors),
    z.enum(levels),
    z.literal(d.some(words)),
    z.literal([1, 2, 4]),
    z.literal(["auto", 1, 2]),
    z.literal("one"),
    z.literal(true),
    z.union([z.literal("a"), z.literal("b")]),
    z.union(["low", "high"].map((value) => z.literal(value).meta({ title: value.toUpperCase() }))),
    z.union([z.literal("auto"), z.literal(1)]),
    z.union([z.enum(["a", "b"]), z.enum(["c", "d"])]),
    z.literal(["a", null]),
    z.union([z.literal(true), z.literal("maybe")]),
    z.enum(["", "a"]),
  ])
const several = (d) => {
  const item = d.one([z.string(), z.string(), z.int(), z.number(), z.enum(d.some(words)), z.literal([1, 2, 3]), z.email(), z.iso.date()])
  return d.one([(s) => s, (s) => s, (s) => s.min(1), (s) => s.max(3), (s) => s.min(1).max(2), (s) => s.nonempty()])(z.array(item))
}
const number = (d) => {
  const low = d.below(20) - 10
  const high = 20 + d.below(1000)
  return d.one([
    () => z.number().gt(low).lt(high + 0.5),
    () => z.number().min(low + 0.5).max(high),
    () => z.int().min(low).max(high),
    () => z.int().gt(low),
    () => z.number().int().positive(),
    () => z.number().nonnegative(),
    () => z.int().multipleOf(5),
    () => z.number().multipleOf(0.5).min(0),
    () => z.number().multipleOf(0.01).positive(),
    () => z.int32(),
    () => z.uint32(),
    () => z.float32(),
  ])()
}
const text = (d) =>
  d.one([
    () => z.string().min(d.below(5)),
    () => z.string().max(5 + d.below(30)),
    () => z.string().min(1).max(20),
    () => z.string().nonempty(),
    () => z.string().length(5),
    () => z.string().regex(d.one(patterns)),
    () => z.string().startsWith("a"),
    () => z.string().trim().min(2),
    () => z.string().toLowerCase(),
    () => z.string().includes("a"),
    () => z.string().endsWith("z"),
    () => z.string().uppercase(),
    () => z.string().min(2).regex(/^a/).regex(/z$/),
    () => z.string().and(z.string().min(2)),
    () => z.templateLiteral(["a-", z.number()]),
  ])()
const formatted = (d) =>
  d.one([
    z.email,
    z.email,
    z.url,
    z.httpUrl,
    z.uuid,
    z.iso.date,
    z.iso.datetime,
    z.iso.time,
    z.iso.duration,
    z.ipv4,
    z.ipv6,
    z.base64,
    z.nanoid,
    z.e164,
    z.hostname,
    z.guid,
    z.ulid,
    z.base64url,
    z.cidrv4,
    () => z.string().email(),
    () => z.string().datetime(),
    () => z.iso.datetime({ offset: true }),
    () => z.iso.datetime({ local: true }),
  ])()
const union = (d) =>
  d.one([
    z.union([z.number(), z.string()]),
    z.union([z.int(), z.string().min(3)]),
    z.union([z.boolean(), z.int()]),
    z.union([z.int(), z.string(), z.null()]),
    z.union([z.iso.date(), z.iso.datetime()]),
    z.union([z.email(), z.url()]),
    z.union([z.string(), z.array(z.string())]),
    z.xor([z.string(), z.number()]),
  ])
const refined = (d) => d.one([z.string().refine((s) => s.length < 99), z.coerce.number(), z.coerce.boolean()])
const extra = (d) => {
  const values = d.some(words)
  return d.one([
    z.string().meta({ enum: values, enumNames: values.map((value) => value.toUpperCase()) }),
    z.string().meta({ oneOf: values.map((value) => ({ const: value, title: value.toUpperCase() })) }),
    z.string().meta({ format: "email" }),
    z.string().meta({ readOnly: true }),
    z.string().readonly().optional(),
    z.number().meta({ "x-unit": "km" }),
    z.string().meta({ id: `T${d.below(1e6)}` }),
  ])
}
const nested = (d) =>
  d.one([
    z.object({ street: z.string() }),
    z.object({ street: z.string() }).optional(),
    z.array(z.object({ a: z.int() })),
    z.record(z.string(), z.string()),
    z.tuple([z.int(), z.string()]),
    z.any(),
    z.unknown().optional(),
    z.array(z.array(z.string())),
    z.array(z.any()),
    z.discriminatedUnion("t", [z.object({ t: z.literal("a") }), z.object({ t: z.literal("b") })]),
    z.union([z.string(), z.object({ a: z.int() })]),
    z.array(z.union([z.string(), z.number()])),
    z.array(z.boolean()),
    z.null(),
  ])
const secret = (d) =>
  d.one([
    z.string().meta({ format: "password" }),
    z.string().meta({ writeOnly: true }),
    z.string().meta({ writeOnly: true }).optional(),
    z.string().meta({ format: "password" }).nullable(),
  ])

const flat = [plain, plain, plain, described, examples, wrapped, wrapped, wrapped, preset, choice, choice, several, number, number, text, formatted, union, extra]

// draw returns for each the kind (flat, nested or secret), the schema, and its JSON Schema as z.toJSONSchema makes it,
// with what zod takes or with what it gives.
export function draw(seed) {
  const d = new Dice(seed)
  return Array.from({ length: many }, () => {
    let kind = "flat"
    const makers = Array.from({ length: 1 + d.below(5) }, () => d.one(flat))
    if (d.below(24) === 0) makers.push(refined)
    if (d.below(10) === 0) {
      kind = d.one(["nested", "secret"])
      makers.push(kind === "nested" ? nested : secret)
    }
    const fields = d.some(names, makers.length, makers.length).map((name, i) => [name, makers[i](d)])
    const object = d.one([z.object, z.object, z.object, z.strictObject, z.looseObject])(Object.fromEntries(fields))
    const schema = d.one([(s) => s, (s) => s, (s) => s, (s) => s.partial(), (s) => s.catchall(z.string()), (s) => s.and(z.object({ a: z.string() }))])(object)
    const json = z.toJSONSchema(schema, { io: d.one(["input", "output"]) })
    // What is made of anything has no type: it cannot be drawn either.
    if (kind === "flat" && Object.values(json.properties).some((property) => Object.keys(property).length === 0)) kind = "nested"
    return { kind, schema, json }
  })
}
