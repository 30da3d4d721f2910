import { formSchema } from "./form.js"
import { answer, refuse } from "./round.js"

/** @import { Round } from "./round.js" */

/**
 * update_work_item: a second form that depends on the answer to the first,
 * which travels to the next round in requestState.
 */
export const workItem = {
  name: "update_work_item",
  title: "Update a work item",
  description: "Moves a work item to another state. Resolving it asks for the resolution, and a duplicate for its original.",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "integer", minimum: 1, maximum: 2147483647 },
      state: { type: "string", minLength: 1, maxLength: 64, description: "For example New, Active, Resolved or Closed" },
    },
    required: ["id", "state"],
  },

  /** @param {{id: number, state: string}} args @param {Round} round */
  tell({ id, state }, round) {
    if (state !== "Resolved") return answer(`Work item ${id} is now ${state}.`)
    let { resolution } = round.facts
    if (!resolution) {
      const form = { name: "resolution", message: `How was work item ${id} resolved?`, schema: resolutions }
      const { outcome, values } = round.read(form)
      if (outcome === "declined") return refuse(`Work item ${id} is unchanged: the user declined to give a resolution.`)
      if (outcome === "cancelled") return refuse(`Work item ${id} is unchanged: the user cancelled.`)
      if (outcome === "unusable") return round.ask(form)
      resolution = values.resolution
    }
    if (resolution === "Duplicate") return duplicate(id, round)
    return answer(`Work item ${id} is now Resolved as ${resolution}.`)
  },
}

/** @param {number} id @param {Round} round */
function duplicate(id, round) {
  const form = { name: "duplicate", message: `Which other work item does ${id} duplicate?`, schema: originals }
  const { outcome, values } = round.read(form)
  if (outcome === "declined") return refuse(`Work item ${id} is unchanged: the user declined to name the original.`)
  if (outcome === "cancelled") return refuse(`Work item ${id} is unchanged: the user cancelled after choosing Duplicate.`)
  if (outcome === "unusable" || values.original_id === id) return round.ask(form, { resolution: "Duplicate" })
  const text = `Work item ${id} is now Resolved as a duplicate of ${values.original_id}.`
  return answer(values.comment ? `${text} Comment: ${JSON.stringify(values.comment)}.` : text)
}

const resolutions = formSchema({
  type: "object",
  properties: {
    resolution: {
      type: "string",
      title: "Resolution",
      enum: ["Fixed", "Won't fix", "Duplicate", "By design"],
    },
  },
  required: ["resolution"],
})

const originals = formSchema({
  type: "object",
  properties: {
    original_id: { type: "integer", title: "Original work item", minimum: 1 },
    comment: { type: "string", title: "Comment", maxLength: 200 },
  },
  required: ["original_id"],
})
