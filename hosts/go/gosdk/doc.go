// Package gosdk protects servers on the official Go SDK
// (github.com/modelcontextprotocol/go-sdk) that ask for input before they
// answer, and lets their handlers ask in straight code. [Over] is for clients.
//
// [Guard] is a middleware for any such server. Handlers still return
// InputRequests and a plain RequestState; what leaves the process is sealed by
// a [codec.Guard] and opens only for the same request and principal, in time:
//
//	guard, err := seal.NewGuard(keyFile, codec.GuardOptions{Audience: "my-server", TTL: 24 * time.Hour})
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
// [Resolve] is for what the person has to say before anything is done: a field of
// a tool's arguments that has the tag `ask` is filled in by the person, and the
// model does not see it.
//
// To ask in the middle of a call by [mcp.ServerSession.Elicit] and its like is the
// old style: it needs a session of an earlier revision, and the SDK refuses it in
// 2026-07-28. Asking and Resolve take its place, and ask clients of both.
//
// [Can] tells before what a client can do: whether it is asked in rounds, by
// requests of the server (earlier revisions), or not at all, and what it may be
// asked for. [Ask.All] asks several questions in one round.
//
// # Forms
//
// A form that [Ask], [Form] or a [Task] asks with is what MCP 2026-07-28 allows,
// because other clients are strict: a flat object whose fields are
//
//   - a string, with minLength, maxLength and a format: email, uri, date or
//     date-time;
//   - a number or an integer, with minimum and maximum;
//   - a boolean;
//   - a choice: a string with an enum (and enumNames), or with a oneOf of const
//     and title;
//   - choices: an array, with minItems and maxItems, whose items are a string
//     with an enum, or have an anyOf of const and title;
//
// each with a title, a description and a default. What says the same in other
// words is rewritten: null beside a type (the field may then be left out, and the
// handler gets null), a $ref into the schema itself and allOf with one entry, a
// const and choices without a type, exclusiveMinimum and exclusiveMaximum of an
// integer, multipleOf 1, uniqueItems of choices, and additionalProperties that is
// true or false. Everything else is an error of the handler's author, which names
// the field and the keyword and says what to do: no question is sent. A schema
// that is such a form already is sent as it is.
//
// These are the answers that the official SDKs take in their types of the
// protocol, whatever the form says:
//
//	SDK                        a field's answer
//	Go 1.8                     any JSON; numbers are float64 (see Exact)
//	TypeScript 2.4 and 1.32    string, number, boolean, list of strings
//	Python 2.3                 string, number, boolean, list of strings, null
//
// # Tasks
//
// [Tasks] lets a tool's call go on after it was answered, by the extension
// io.modelcontextprotocol/tasks. A handler asks first, in rounds, and starts a
// [Task] after the last answer; the task's [Work] runs in a goroutine, once, and
// may ask, too:
//
//	tasks := gosdk.NewTasks(gosdk.TaskOptions{Logger: logger})
//	tasks.Add(server) // after the Guard
//	mcp.AddTool(server, tool, gosdk.AskingFor(
//		func(ctx context.Context, ask *gosdk.Ask, req *mcp.CallToolRequest, in args) (*mcp.CallToolResult, any, error) {
//			if err := tasks.Require(ctx); err != nil {
//				return nil, nil, err
//			}
//			...
//			return nil, nil, tasks.Start(ctx, func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
//				t.Say("Halfway there")
//				...
//
// [Tasks.Run] is for work that needs no task: clients without the extension wait
// for it, and are asked in rounds or by requests of the server. In rounds the work
// begins again with each answer. A task is its principal's, and forgotten after [TaskOptions.TTL]. A
// [TaskStore] keeps tasks, in memory unless there is another. Clients poll: no
// notifications/tasks are sent.
//
// # Clients
//
// [Over] is for hosts that have the SDK's client already: sessions of package
// parley make calls over its connections, and are asked what servers of earlier
// eras ask the client.
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
//   - A whole number beyond ±9007199254740991 in an answer is refused, unless
//     [Exact] keeps it from the SDK, which would round it.
package gosdk
