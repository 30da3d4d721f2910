// Package gosdk protects servers on the official Go SDK
// (github.com/modelcontextprotocol/go-sdk) that ask for input before they
// answer, and lets their handlers ask in straight code.
//
// [Guard] is a middleware for any such server. Handlers still return
// InputRequests and a plain RequestState; what leaves the process is sealed by
// a [codec.Guard] and opens only for the same request and principal, in time:
//
//	guard, err := seal.NewGuard(keyFile, codec.GuardOptions{Audience: "my-server"})
//	server.AddReceivingMiddleware(gosdk.Guard(guard, gosdk.Options{Logger: logger}))
//
// [Asking] and its siblings make a handler that asks in the middle of its code.
// It keeps nothing between rounds: its answers travel in the sealed state, and
// any instance with the same keys continues the call.
//
//	mcp.AddTool(server, tool, gosdk.AskingFor(
//		func(ctx context.Context, ask *gosdk.Ask, req *mcp.CallToolRequest, in args) (*mcp.CallToolResult, any, error) {
//			res, err := ask.Elicit(ctx, &mcp.ElicitParams{Message: "Really?", RequestedSchema: schema})
//			if err != nil {
//				return nil, nil, err
//			}
//			...
//
// # What typed params do not keep
//
// The SDK decodes a request before any middleware sees it. A [codec.Guard] on
// raw JSON therefore knows more in a few cases, none of which lets a state move
// to another request:
//
//   - An empty requestState is an absent one, both ways.
//   - A requestState that is not a string, or inputResponses that cannot be
//     decoded, get the SDK's error instead of the frozen one. If a member is
//     given twice, the last one counts, for the SDK and therefore for the
//     handler.
//   - The arguments of a tool are bound as they were spelled, and any JSON that
//     says the same opens the state. A prompt's are bound as they were decoded.
//     If they are no valid JSON text (duplicate names, lone surrogates), a state
//     does not open on an instance that works on raw JSON.
//   - Questions are pinned as the SDK spells them, which is how they are sent.
package gosdk
