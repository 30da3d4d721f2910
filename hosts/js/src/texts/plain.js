// Text from servers, made safe to show.

/** Longer texts are cut where they are quoted. In characters. */
const most = 300

/**
 * Text without what a terminal would obey, such as escape sequences, and with
 * further lines marked, so that none can pass for the host's own.
 *
 * @param {string} text
 */
export function shown(text) {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd").replaceAll("\n", "\n| ")
}

/** Text on one line, with the hidden characters spelled out. @param {string} text */
export function quoted(text) {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text
  return `“${cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)}”`
}

/** An error's message without the name of who says it, to go into another's. @param {string} message */
export function withoutPrefix(message) {
  return message.replace(/^parley: /, "")
}
