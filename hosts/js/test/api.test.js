// What the package offers is what api/parley.d.ts has recorded.
import { readFileSync } from "node:fs"
import test from "node:test"

import { offered, recorded } from "../api/record.mjs"

const advice =
  "Record it with npm run api, and look at what has changed: names may be added; from the first publication on none may be taken away, nor may a type refuse what it took or lack what it had"

test("the package offers what is recorded", () => {
  const [got, want] = [offered(), readFileSync(recorded, "utf8")].map((text) => text.split("\n"))
  if (!got || !want) throw new Error("there is nothing to compare")
  const taken = want.filter((line) => !got.includes(line)).map((line) => `- ${line}`)
  const added = got.filter((line) => !want.includes(line)).map((line) => `+ ${line}`)
  if (got.join("\n") !== want.join("\n")) throw new Error([`the package offers something else than hosts/js/api/parley.d.ts says. ${advice}:`, ...taken, ...added].join("\n"))
})
