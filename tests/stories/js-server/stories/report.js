import { formSchema } from "./form.js"
import { answer, refuse } from "./round.js"

/** @import { Round } from "./round.js" */

/** The resource parley://report/quarterly: resources/read may ask, too. */
export const report = {
  name: "quarterly_report",
  uri: "parley://report/quarterly",
  title: "Quarterly report",
  description: "The figures of a quarter. Asks which one.",
  mimeType: "text/markdown",

  /** @param {Round} round */
  tell(round) {
    const form = { name: "quarter", message: "Which quarter do you want the figures of?", schema: quarters }
    const { outcome, values } = round.read(form)
    if (outcome === "cancelled") return refuse("The user cancelled the report")
    if (outcome === "unusable") return round.ask(form)
    // Declined is the whole year.
    const rows = Object.entries(figures).filter(([quarter]) => !values || values.quarter === quarter)
    return answer(`| Quarter | Orders |\n|---|---|\n${rows.map(([quarter, orders]) => `| ${quarter} | ${orders} |`).join("\n")}\n`)
  },
}

/** The resources parley://report/{year}/{quarter}, which ask nothing: what they can be filled in with is suggested. */
export const quarterReports = {
  name: "quarter_report",
  uriTemplate: "parley://report/{year}/{quarter}",
  title: "Report of a quarter",
  description: "The orders of one quarter of a year.",
  mimeType: "text/markdown",
  complete: {
    year: (/** @type {string} */ typed) => Object.keys(years).filter((year) => year.startsWith(typed)),
    quarter: (/** @type {string} */ typed, /** @type {{arguments?: Record<string, string>} | undefined} */ context) =>
      Object.keys(years[context?.arguments?.year ?? ""] ?? figures).filter((quarter) => quarter.startsWith(typed.toUpperCase())),
  },

  /** @param {{year?: string, quarter?: string}} which */
  tell({ year = "", quarter = "" }) {
    const orders = years[year]?.[quarter]
    return orders === undefined ? refuse("There is no such report") : answer(`| Quarter | Orders |\n|---|---|\n| ${quarter} ${year} | ${orders} |\n`)
  },
}

const figures = { Q1: 1200, Q2: 1350, Q3: 1280, Q4: 1510 }

/** @type {Record<string, Record<string, number>>} */
const years = { 2025: figures, 2026: { Q1: 1430, Q2: 1490 } }

const quarters = formSchema({
  type: "object",
  properties: {
    quarter: { type: "string", title: "Quarter", enum: ["Q1", "Q2", "Q3", "Q4"] },
  },
  required: ["quarter"],
})
