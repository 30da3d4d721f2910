// Names of the package, for types.
/** @typedef {import("@parley-mcp/parley").Askers} Askers */
/** @typedef {import("@parley-mcp/parley").Entry} Entry */
/** @typedef {import("@parley-mcp/parley/ai-sdk").Answers} Answers */
/** @typedef {import("@parley-mcp/parley/ai-sdk").Waiting} Waiting */
export {}
