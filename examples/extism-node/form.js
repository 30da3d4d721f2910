// Fills in a form line by line. The plug-in reads it, whichever way the server's SDK writes it, and checks what is typed.

const kinds = {
  string: "text", number: "a number", integer: "a whole number", boolean: "yes or no",
  choice: "one of some choices", choices: "some of some choices", list: "a list",
}
const words = { true: "yes", false: "no" }
const ways = { boolean: "yes or no", choices: "commas between", list: "one a line, an empty line ends" }

/** What JSON text says: a string without its quotes, yes and no of booleans. */
const textOf = (value) => value.startsWith('"') ? JSON.parse(value) : words[value] ?? value

/** What a choice is called, and what it stands for if that says more. */
const choice = ({ value, title }) =>
  title === value || title === textOf(value) ? words[value] ?? title : `${title} (${textOf(value)})`

/** What only the server checks; beside a format that Parley checks, its pattern says nothing new. */
export function notes(unchecked = [], known = false) {
  const texts = unchecked.filter(({ value }) => value !== undefined && !known)
    .map(({ keyword, value }) => `${keyword} ${JSON.stringify([...value].slice(0, 40).join(""))}`)
  const more = unchecked.filter(({ value }) => value === undefined).map(({ keyword }) => keyword).join(", ")
  return more ? [...texts, `the server checks more: ${more}`] : texts
}

const hints = ({ kind, deprecated, options = [], format, examples = [], unchecked }) => [
  deprecated && "no longer used", ...options.map(choice), ways[kind], format,
  ...examples.map((example) => `such as ${textOf(example)}`), ...notes(unchecked, format !== undefined),
].filter(Boolean).join(", ")

/** Asks for one field after the other, and returns the content as JSON text. `line` throws what ends the question. */
export async function fill({ schema, fields }, check, line, say) {
  const content = []
  for (const field of fields) {
    if (field.readOnly) {
      say(`${field.title}: ${textOf(field.default ?? '""')}`)
      continue
    }
    let answer
    while ((answer = await one(schema, field, check, line)).problem) say(`${field.title} ${answer.problem.message}.`)
    if (answer.value !== undefined) content.push(`${JSON.stringify(field.name)}:${answer.value}`)
  }
  return `{${content.join()}}`
}

/** The value of a field as JSON text, nothing to leave it out, or what is wrong with what was typed. */
async function one(schema, field, check, line) {
  const request = { schema, field: field.name }
  let asked = field
  if (field.kind === "union") { // the type is picked, and never guessed from the text
    const each = field.alternatives.map(({ format, kind }, i) => `${i + 1} for ${format ?? kinds[kind]}`)
    const picked = await line(`${field.title}: ${each.join(", ")}`)
    asked = picked === "" ? undefined : field.alternatives.find((_, i) => picked === String(i + 1))
    if (picked !== "" && !asked) return { problem: { message: "must be one of the numbers" } }
    if (asked) request.alternative = field.alternatives.indexOf(asked)
  }
  const typed = []
  if (asked) {
    const said = hints(asked)
    typed.push(await line(`${field.title}${said && ` (${said})`}${asked.default ? ` [${textOf(asked.default)}]` : ""}`))
    for (let more = typed[0]; asked.kind === "list" && more !== "";) {
      typed.push(more = await line(`${field.title}, one more`))
    }
  }
  request.typed = typed.join("\n")
  if (request.typed === "" && (asked ?? field).default) return { value: (asked ?? field).default }
  return check(request)
}
