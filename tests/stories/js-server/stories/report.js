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

const figures = { Q1: 1200, Q2: 1350, Q3: 1280, Q4: 1510 }

const quarters = formSchema({
  type: "object",
  properties: {
    quarter: { type: "string", title: "Quarter", enum: ["Q1", "Q2", "Q3", "Q4"] },
  },
  required: ["quarter"],
})
