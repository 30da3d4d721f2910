// What servers send, as the schema of MCP 2026-07-28 has it, in the fields that
// the official SDK's users know. All of it is the server's own words: nothing
// may depend on it for security.

/**
 * The text beside what was read from it: with everything that has no field here,
 * and numbers as the server wrote them. It is not in what JSON.stringify or a
 * spread makes of the rest.
 *
 * @typedef {object} Raw
 * @property {string} raw JSON text, byte for byte
 */

/** @typedef {Record<string, unknown>} Meta */

/** @typedef {{audience?: ("user" | "assistant")[], priority?: number, lastModified?: string}} Annotations */

/** @typedef {{src: string, mimeType?: string, sizes?: string[], theme?: "light" | "dark"}} Icon */

/** The text of a resource, or its bytes in base64. @typedef {{uri: string, mimeType?: string, _meta?: Meta} & ({text: string, blob?: undefined} | {blob: string, text?: undefined}) & Raw} ResourceContents */

/**
 * What a tool or a prompt says: `type` tells what is there. `text` can be read
 * of any; only a text has it. One of a type that is not known has only `raw`.
 *
 * @typedef {{annotations?: Annotations, _meta?: Meta} & ({type: "text", text: string}
 *   | {type: "image" | "audio", data: string, mimeType: string, text?: undefined}
 *   | {type: "resource", resource: ResourceContents, text?: undefined}
 *   | {type: "resource_link", text?: undefined} & ResourceFields) & Raw} ContentBlock
 */

/**
 * The result of a tool. With `isError` the tool failed, and `content` says why.
 * To read a `structuredContent` with a whole number that JavaScript would round
 * throws a RangeError: `raw` has it.
 *
 * @typedef {{content: ContentBlock[], structuredContent?: unknown, isError?: boolean, _meta?: Meta} & Raw} CallToolResult
 */

/** @typedef {{description?: string, messages: {role: "user" | "assistant", content: ContentBlock}[], _meta?: Meta} & Raw} GetPromptResult */

/** @typedef {{contents: ResourceContents[], ttlMs?: number, cacheScope?: string, _meta?: Meta} & Raw} ReadResourceResult */

/** What everything in a list has. @typedef {{name: string, title?: string, description?: string, icons?: Icon[], _meta?: Meta}} Listed */

/** What a server says about how a tool behaves; whether to believe it is the host's decision. @typedef {{title?: string, readOnlyHint?: boolean, destructiveHint?: boolean, idempotentHint?: boolean, openWorldHint?: boolean}} ToolAnnotations */

/** How a tool of MCP 2025-11-25 runs: without it, not as a task. @typedef {{taskSupport: "required" | "optional" | "forbidden"}} ToolExecution */

/** @typedef {{type: "object", properties?: Record<string, any>, required?: string[], [member: string]: unknown}} InputSchema */

/** @typedef {Listed & {inputSchema: InputSchema, outputSchema?: Record<string, unknown>, annotations?: ToolAnnotations, execution?: ToolExecution} & Raw} Tool */

/** @typedef {Listed & {arguments?: {name: string, title?: string, description?: string, required?: boolean}[]} & Raw} Prompt */

/** @typedef {Listed & {uri: string, mimeType?: string, size?: number, annotations?: Annotations}} ResourceFields */

/** @typedef {ResourceFields & Raw} Resource */

/** @typedef {Listed & {uriTemplate: string, mimeType?: string, annotations?: Annotations} & Raw} ResourceTemplate */

export {}
