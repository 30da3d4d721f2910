import { formSchema } from "./form.js"
import { answer, refuse } from "./round.js"

/** @import { Round } from "./round.js" */

/** The cost of a machine and of a data disk in EUR a month. */
const price = { small: 12, medium: 48, large: 190 }
const diskPrice = 5

/**
 * provision_vm: consent to a cost, in a form that has a boolean, an integer
 * with bounds and a choice of several.
 */
export const machine = {
  name: "provision_vm",
  title: "Provision a virtual machine",
  description: "Provisions a virtual machine after the user has confirmed its monthly cost.",
  inputSchema: {
    type: "object",
    properties: {
      size: { type: "string", enum: ["small", "medium", "large"] },
      region: { type: "string", pattern: "^[a-z0-9-]{1,32}$", default: "westeurope" },
    },
    required: ["size"],
  },

  /** @param {{size: keyof typeof price, region?: string}} args @param {Round} round */
  tell({ size, region = "westeurope" }, round) {
    const message = `A ${size} machine in ${region} costs ${price[size]} EUR a month, and each data disk ${diskPrice} EUR more. Provision it?`
    const form = { name: "confirm", message, schema: consent }
    const { outcome, values } = round.read(form)
    if (outcome === "declined") return refuse("Nothing was provisioned: the user declined.")
    if (outcome === "cancelled") return refuse("Nothing was provisioned: the user cancelled.")
    if (outcome === "unusable") return round.ask(form)
    const { confirm, disks, tags = [] } = values
    if (!confirm) return refuse("Nothing was provisioned: the user did not accept the monthly cost.")
    const tagged = tags.length > 0 ? `tags ${[...new Set(tags)].sort().join(", ")}` : "no tags"
    return answer(`Provisioned a ${size} machine in ${region} with ${disks} data disk(s) and ${tagged} for ${price[size] + disks * diskPrice} EUR a month.`)
  },
}

const consent = formSchema({
  type: "object",
  properties: {
    confirm: { type: "boolean", title: "I accept the monthly cost", default: false },
    disks: { type: "integer", title: "Data disks", minimum: 1, maximum: 8, default: 1 },
    tags: {
      type: "array",
      title: "Tags",
      items: {
        anyOf: [
          { const: "dev", title: "Development" },
          { const: "test", title: "Test" },
          { const: "prod", title: "Production" },
        ],
      },
      maxItems: 3,
    },
  },
  required: ["confirm"],
})
