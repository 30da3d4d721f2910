import { t } from "./language.js"
import { elements, member, string } from "./raw-json.js"

/**
 * What a CreateMessageRequest's params say to the model. What is no text is
 * shown as JSON, so that nothing goes there unseen.
 *
 * @param {string} params
 * @returns {{who: string, text: string, isText: boolean}[]}
 */
export function messages(params) {
  /** @type {ReturnType<typeof messages>} */
  const list = []
  const system = string(member(params, "systemPrompt"))
  if (system) list.push({ who: "system", text: system, isText: true })
  for (const message of elements(member(params, "messages") ?? "[]")) {
    const content = member(message, "content") ?? "null"
    for (const block of content.startsWith("[") ? elements(content) : [content]) {
      const text = string(member(block, "type")) === "text" ? string(member(block, "text")) : undefined
      list.push({ who: string(member(message, "role")) ?? "?", text: text ?? block, isText: text !== undefined })
    }
  }
  return list
}

/** Who says something, in the person's language: a Role, or "system". @param {string} who */
export function role(who) {
  return { user: t`user`, assistant: t`assistant`, system: t`system` }[who] ?? who
}
