// The page that an authorization server leads back to, in the window of a
// sign-in: it hands over the answer, and is done.

import { signInCallback } from "@parley-mcp/parley/oauth"
import { t } from "../../shared-js/language.js"
import { prepare } from "./language.js"

await prepare()
const heading = document.querySelector("h1")
const told = document.getElementById("told")
if (heading) heading.textContent = t`Signing in…`
if (told) told.textContent = t`Your answer goes back to the page that asked for it.`
document.title = t`Signing in`

const [title, text] = (await signInCallback())
  ? [t`Back to Parley`, t`The page that asked has the answer. You can close this window.`]
  : [t`Nobody waits for this`, t`The page that asked is closed, or has given up. Close this window, and sign in again from there.`]
if (heading) heading.textContent = title
if (told) told.textContent = text
document.title = title
