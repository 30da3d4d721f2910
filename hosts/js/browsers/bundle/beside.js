// The default entry, for bundlers that know new URL("…", import.meta.url).
import { load } from "@parley-mcp/parley"

import { host } from "./host.js"

host(load(), location.search)
