// Package schema has MCP's results as Go structs, for hosts that would rather
// not read JSON. The fields have the names that the official Go SDK gives them.
//
// The typed calls of a session return these, and nothing else decodes a result:
//
//	res, err := session.CallTool(ctx, parley.ToolCall{Name: "get_weather"})
//	for _, c := range res.Content {
//		fmt.Println(c.Text)
//	}
//
// To read the Result of an untyped call, unmarshal it into a [CallToolResult], a
// [GetPromptResult] or a [ReadResourceResult].
//
// Raw, where a struct has it, is the JSON text it was read from, byte for byte,
// with everything the struct has no field for. What a host needs in order to
// use a value must be there and of its type, or reading fails with an [*Error].
// Anything else whose type is not the schema's is left out, and is in Raw.
//
// Names, descriptions and annotations are the server's own words: nothing may
// depend on them for security.
package schema
