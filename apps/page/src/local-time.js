/**
 * An RFC 3339 date-time as the value of an `<input type="datetime-local">`, in
 * the person's time zone; empty if it is none.
 *
 * @param {string} dateTime
 */
export function toLocal(dateTime) {
  const time = new Date(dateTime)
  if (Number.isNaN(time.getTime())) return ""
  return `${pad(time.getFullYear(), 4)}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}T${clock(time)}`
}

/**
 * The value of an `<input type="datetime-local">` as an RFC 3339 date-time with
 * the offset that the person's time zone has then.
 *
 * @param {string} local
 */
export function fromLocal(local) {
  const time = new Date(local)
  const minutes = -time.getTimezoneOffset()
  const offset = `${minutes < 0 ? "-" : "+"}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`
  return `${local.slice(0, local.indexOf("T"))}T${clock(time)}${offset}`
}

/** @param {Date} time */
function clock(time) {
  return `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`
}

/** @param {number} n @param {number} [digits] */
function pad(n, digits = 2) {
  return String(Math.floor(n)).padStart(digits, "0")
}
