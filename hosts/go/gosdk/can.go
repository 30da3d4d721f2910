package gosdk

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Way is how a client can be asked for input in the middle of a call.
type Way int

const (
	Nothing  Way = iota // not at all
	Rounds              // by a result that asks: revision 2026-07-28
	Requests            // by requests of the server, while the call waits: earlier revisions
)

// Abilities is what a client said it can do, in its request or at its
// initialization.
type Abilities struct {
	// Way is Nothing for a client that declares none of the kinds below, and for
	// one of an earlier revision that no request can reach: one without a
	// session, as servers with StreamableHTTPOptions.Stateless have it.
	Way Way

	Form, URL     bool // elicitation, by its modes
	Sampling      bool
	SamplingTools bool // sampling with tools
	Roots         bool

	// Tasks reports the extension [TasksExtension]: the call may go on as a
	// task (see [Tasks]).
	Tasks bool
}

// Can returns what the client that sent a tools/call, prompts/get or
// resources/read can do. A handler that can do without an answer looks before it
// asks: the methods of [Ask] fail with -32021 for a question of a kind the
// client did not declare.
func Can(req mcp.Request) Abilities {
	r, ok := req.(declarer)
	if !ok {
		return Abilities{}
	}
	declared, early := r.ClientCapabilities(), legacy(req)
	if declared == nil {
		return Abilities{}
	}
	may := func(q mcp.InputRequest) bool { return Undeclared(mcp.InputRequestMap{"": q}, declared) == nil }
	can := Abilities{
		Form:          may(&mcp.ElicitParams{}),
		URL:           may(&mcp.ElicitParams{Mode: "url"}),
		Sampling:      may(&mcp.CreateMessageParams{}),
		SamplingTools: may(&mcp.CreateMessageWithToolsParams{ToolChoice: &mcp.ToolChoice{}}),
		Roots:         may(&mcp.ListRootsParams{}),
		Tasks:         !early && (&taskCaller{capabilities: declared}).declares(),
	}
	switch {
	case !can.Form && !can.URL && !can.Sampling && !can.Roots:
	case !early:
		can.Way = Rounds
	case reachable(req):
		can.Way = Requests
	}
	return can
}

// reachable reports whether the client can be sent requests: over HTTP it has a
// session then.
func reachable(req mcp.Request) bool {
	session, ok := req.GetSession().(*mcp.ServerSession)
	if !ok || session == nil {
		return false
	}
	extra := req.GetExtra()
	return extra == nil || extra.Header == nil || session.ID() != ""
}

// declarer is a request of a client that declares what it can do.
type declarer interface {
	ClientCapabilities() *mcp.ClientCapabilities
}
