// What the tools of both servers ask, by the tool's name.

const schema = { type: /** @type {const} */ ("object"), properties: { name: { type: /** @type {const} */ ("string"), minLength: 2 } }, required: ["name"] }

/** @type {Record<string, {key: string, form?: any, url?: any, sample?: any, roots?: any}[]>} */
export const questions = {
  form: [{ key: "who", form: { message: "Who?", requestedSchema: schema } }],
  url: [{ key: "page", url: { message: "Please sign in", url: "https://example.com/sign-in", elicitationId: "e1" } }],
  sample: [{ key: "model", sample: { messages: [{ role: "user", content: { type: "text", text: "Say hello" } }], maxTokens: 10 } }],
  roots: [{ key: "roots", roots: {} }],
}
questions.all = ["form", "sample", "roots"].flatMap((name) => questions[name] ?? [])
