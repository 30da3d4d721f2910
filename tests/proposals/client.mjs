// Parley's session in Node, for the stories of proposals_test.go: {url, session,
// method, params, answers} of each as JSON on standard input; the call's result
// and what was wrong, in the same order, on standard output.
import { text } from "node:stream/consumers"

import { connect, fetchTransport, load } from "../../hosts/js/dist/node.js"

/** @typedef {{url: string, session: {tasks?: boolean}, method: string, params: string, answers: string[]}} Story */

const engine = await load()

/** @param {Story} story */
async function tell({ url, session: { tasks, ...shape }, method, params, answers }) {
  /** @type {string[]} */
  const problems = []
  let asked = 0
  const answer = () => answers[asked++] ?? Promise.reject(new Error("a question too many"))
  const session = connect(engine, fetchTransport(url), {
    firstId: 1, // as the scripts have it
    ...shape,
    askers: { elicit: answer, elicitURL: answer, sample: answer, listRoots: answer, tasks },
    watchers: { onWarning: (warning) => void problems.push(`warning: ${warning}`) },
  })
  const outcome = await session.call({ method, params })
  await session.close()
  if (outcome.status === "failed") problems.push(outcome.detail)
  if (outcome.status === "done" && outcome.lacks) problems.push(outcome.lacks)
  if (asked !== answers.length) problems.push(`${asked} questions, want ${answers.length}`)
  return { result: outcome.status === "done" ? outcome.result : "", problems }
}

const told = await Promise.all(/** @type {Story[]} */ (JSON.parse(await text(process.stdin))).map(tell))
if (engine.live !== 0) told[0]?.problems.push(`${engine.live} flows, sessions and calls are still live`)
process.stdout.write(JSON.stringify(told))
