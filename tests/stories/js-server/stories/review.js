import { formSchema } from "./form.js"
import { answer, refuse } from "./round.js"

/** @import { Round } from "./round.js" */

/** The prompt code_review: prompts/get may ask, too. */
export const review = {
  name: "code_review",
  title: "Review code",
  description: "A request to review code. Asks for its language and what to look for.",
  argsSchema: {
    type: "object",
    properties: { code: { type: "string", description: "The code; without it the prompt is about the code at hand" } },
  },

  /** @param {{code?: string}} args @param {Round} round */
  tell({ code }, round) {
    const form = { name: "review", message: "What is to be reviewed, and for what?", schema: reviews }
    const { outcome, values } = round.read(form)
    if (outcome === "cancelled") return refuse("The user cancelled the code review")
    if (outcome === "unusable") return round.ask(form)
    // Declined is the most general review.
    const { language, focus } = values ?? { language: "other", focus: "correctness" }
    const text = `Review ${language === "other" ? "this code" : `this ${language} code`} for ${focus}.`
    return answer(code ? `${text}\n\n${code}` : text)
  },
}

const reviews = formSchema({
  type: "object",
  properties: {
    language: { type: "string", title: "Language", enum: ["Go", "TypeScript", "Python", "other"] },
    focus: {
      type: "string",
      title: "Focus",
      oneOf: [
        { const: "correctness", title: "Is it right?" },
        { const: "security", title: "Is it safe?" },
        { const: "readability", title: "Is it clear?" },
      ],
      default: "correctness",
    },
  },
  required: ["language"],
})
