// What an authorization server says in refusing, as far as it may be repeated.

/** How many characters are repeated. */
const most = 500

/** In how much of a page or text they are looked for, in characters. */
const longest = 8 << 10

/** An error code (RFC 6749, 5.2), and words for a person; empty if there are none that may be repeated. @typedef {{code: string, words: string}} Heard */

/**
 * Words that hold one of the secrets, or what looks like one, are left out as a
 * whole.
 *
 * @param {string} type of the content @param {string} body @param {(string | null | undefined)[]} secrets
 * @returns {Heard}
 */
export function heard(type, body, secrets) {
  const whole = body.replace(/^\ufeff/, "").trim()
  const object = objectOf(whole)
  if (object) return saidInJson(object, secrets)
  if (hasSecret(body, secrets)) return { code: "", words: "" }
  const text = whole.slice(0, longest)
  if (/^([\w.-]+=[^\s&]*&)*error=[^\s&]+(&|$)/.test(text)) return heardIn(new URLSearchParams(text), secrets) // as GitHub writes errors
  const readable = text.startsWith("<") || type.includes("html") ? textOf(text) : type === "" || type.startsWith("text/") ? text : ""
  return { code: "", words: repeat(readable, secrets) }
}

/** What a query says: the browser brings it, or it is a body. @param {URLSearchParams} query @param {(string | null | undefined)[]} secrets @returns {Heard} */
export function heardIn(query, secrets) {
  return { code: repeatCode(query.get("error"), secrets), words: repeat(query.get("error_description") ?? "", secrets) }
}

/** How an authorization server answered, in our words and then in its own. @param {Heard & {status?: number}} said */
export function answered({ code, words, status }) {
  return `${code || (status ? `HTTP status ${status}` : "an error of its own")}${words && `, and says “${words}”`}`
}

/** The object that a text is, if it is one. @param {string} text @returns {Record<string, unknown> | undefined} */
export function objectOf(text) {
  try {
    const value = JSON.parse(text)
    return value && typeof value === "object" && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Looks where authorization servers, and gateways before them, put their words. @param {Record<string, any>} object @param {(string | null | undefined)[]} secrets @returns {Heard} */
function saidInJson({ error, error_description, message, detail, errorSummary, title }, secrets) {
  const code = repeatCode(error, secrets)
  const said = [error_description, error?.message, message, detail, errorSummary, title, error].find((text) => typeof text === "string" && text !== "" && text !== code)
  return { code, words: repeat(said ?? "", secrets) }
}

/** @param {unknown} code @param {(string | null | undefined)[]} secrets */
function repeatCode(code, secrets) {
  return typeof code === "string" && /^[!#-[\]-~]{1,64}$/.test(code) && !hasSecret(code, secrets) ? code : ""
}

/** A peer's text on one line, without what a terminal would obey and what changes the direction of what follows. @param {string} said @param {(string | null | undefined)[]} secrets */
function repeat(said, secrets) {
  const text = said.slice(0, longest)
  const clean = text.replace(/[“”]/g, '"').replace(/[\p{Cc}\p{Z}]+/gu, " ").replace(/\p{C}/gu, "").replace(/ +/g, " ").trim()
  if ([text, clean].some((one) => hasSecret(one, secrets)) || showsSecret(clean)) return ""
  const characters = [...clean]
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : clean
}

/** @type {Record<string, string>} */
const marks = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " ", "&amp;": "&" }

/** What a page says. @param {string} page */
function textOf(page) {
  return page.replace(/<!--.*?(-->|$)|<(script|style)\b.*?(<\/(script|style)\s*>|$)|<[^>]*(>|$)/gis, " ").replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (mark) => marks[mark] ?? mark)
}

/** A short secret counts as a word: it may be part of any. @param {string} text @param {(string | null | undefined)[]} secrets */
function hasSecret(text, secrets) {
  return secrets.some((secret) => {
    if (!secret) return false
    if (secret.length < 8) return new RegExp(`(^|\\W)${secret.replace(/\W/g, "\\$&")}(\\W|$)`).test(text)
    return text.includes(secret) || text.includes(encodeURIComponent(secret))
  })
}

/** Whether a text shows what looks like a secret, sent or not: the value of a parameter that holds one, or a JWT. @param {string} text */
function showsSecret(text) {
  const named = /(\b(access_token|refresh_token|id_token|client_secret|client_assertion|code_verifier|assertion|subject_token|password)["'\s]*[=:]|\bcode=)["'\s]*([\w.~+/-]{8,})/gi
  return [...text.matchAll(named)].some(([, , , value = ""]) => /\d/.test(value)) || /\beyJ[\w-]{8,}\.[\w-]/.test(text)
}
