// The extension as a person uses it, in VS Code: in its Node extension host, and
// in the one that runs in a worker of the browser.

import test, { after, before, describe } from "node:test"

import { keeping } from "./keeping.js"
import { keyless } from "./keyless.js"
import { kinds } from "./kinds.js"
import { made, patient, picky, questions } from "./questions.js"
import { Scene } from "./scene.js"
import { settled } from "./settled.js"
import { keepsSecrets, signingIn, signingInFromWorker } from "./sign-in.js"
import { forgetful, rogue, shaky, trouble } from "./trouble.js"
import { web } from "./web.js"

/** How many windows are used at once. */
const concurrency = Number(process.env.WINDOWS || 2)

describe("in VS Code", () => {
  /** @type {Scene} */
  let scene
  before(async () => {
    scene = await Scene.set({ Forgetful: forgetful, Made: made, Patient: patient, Picky: picky, Rogue: rogue, Shaky: shaky })
  })
  after(() => scene?.end())
  const at = () => scene

  describe("in the Node extension host", { concurrency }, () => {
    questions(at)
    kinds(at)
    keeping(at)
    trouble(at)
  })
  describe("with other settings", { concurrency }, () => settled(at))
  // One window at a time: in a browser, each writes the secrets that it knows of.
  describe("signing in", () => signingIn(at))
  describe("in the web worker extension host", { concurrency }, () => {
    web(at)
    signingInFromWorker(at)
  })
  test("no secret of a sign-in is in a file, a log or a command line", () => keepsSecrets(at))
  describe("in another browser", () => keyless(at)) // last: it replaces the key
})
