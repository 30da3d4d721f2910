import { load } from "@parley-mcp/parley"

import { host } from "./host.js"

onmessage = ({ data }) => void host(load(), data)
