// The entry that carries the module in itself, for any bundler.
import { load } from "@parley-mcp/parley/inline"

import { host } from "./host.js"

host(load(), location.search)
