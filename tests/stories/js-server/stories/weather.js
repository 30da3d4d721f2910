import { formSchema } from "./form.js"
import { answer, refuse } from "./round.js"

/** @import { Round } from "./round.js" */

/** get_weather: one form, then the answer. */
export const weather = {
  name: "get_weather",
  title: "Get the weather",
  description: "Tells the weather at a location. Asks which units to use.",
  inputSchema: {
    type: "object",
    properties: { location: { type: "string", minLength: 1, maxLength: 100 } },
    required: ["location"],
  },

  /** @param {{location: string}} args @param {Round} round */
  tell({ location }, round) {
    const form = { name: "units", message: `Which units should the weather in ${location} be in?`, schema: units }
    const { outcome, values } = round.read(form)
    if (outcome === "cancelled") return refuse(`The user cancelled: no weather for ${location}.`)
    if (outcome === "unusable") return round.ask(form)
    // Declined is no preference.
    if (values?.units === "imperial") return answer(`${location}: 64 °F, light rain, wind 9 mph.`)
    return answer(`${location}: 18 °C, light rain, wind 15 km/h.`)
  },
}

const units = formSchema({
  type: "object",
  properties: {
    units: {
      type: "string",
      title: "Units",
      oneOf: [
        { const: "metric", title: "Metric (°C, km/h)" },
        { const: "imperial", title: "Imperial (°F, mph)" },
      ],
      default: "metric",
    },
  },
  required: ["units"],
})
