import { signInCallback } from "../../dist/oauth/web.js"

await signInCallback()
