import { load } from "@parley-mcp/parley"

import { call } from "../call.js"

globalThis.engine = load()
call().then((result) => process.stdout.write(result))
