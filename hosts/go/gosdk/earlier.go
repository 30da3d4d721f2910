package gosdk

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// earlierRounds is how many rounds a call has at a client of a revision without
// rounds. The Guard asks in every other round, so it may be one more.
const earlierRounds = 10

// serveEarlier serves a client whose protocol revision has no rounds. The SDK
// asks it what a handler asks, and calls the handler again, but only once; what
// that returns comes here. So each question is asked once, by the SDK or below.
func (c *call) serveEarlier(ctx context.Context, next mcp.MethodHandler, session *mcp.ServerSession) (mcp.Result, error) {
	e := &exchange{legacy: true}
	ctx = withExchange(ctx, e)
	var state *string
	var answers mcp.InputResponseMap
	for asked := 0; ; asked += 2 {
		res, err := next(ctx, c.method, c.with(state, answers))
		if err != nil {
			return nil, c.undeclaredIn(err)
		}
		r := readResult(res)
		switch {
		case r == nil || r.questions == nil && r.state == "":
			return res, nil
		case e.rounded.Load():
			return nil, c.notHeard(errRounded)
		case r.questions == nil:
			return nil, c.notSealed(errStateAlone)
		case len(r.questions) == 0:
			return nil, errBusy
		case asked >= earlierRounds:
			c.o.Logger.Error("too many rounds", "method", c.method, "target", clip(c.target))
			return nil, errEarlierRounds
		}
		if err := Undeclared(r.questions, c.declared); err != nil {
			return nil, err
		}
		answers, err = askAsTheyAre(ctx, session, r.questions)
		switch {
		case errors.Is(err, errRounded):
			return nil, c.notHeard(err)
		case err != nil:
			return nil, err
		}
		state = &r.state
	}
}

// askAsTheyAre asks as the SDK does, which sends a handler's forms as they are.
func askAsTheyAre(ctx context.Context, session *mcp.ServerSession, questions mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	answers := make(mcp.InputResponseMap, len(questions))
	for _, key := range slices.Sorted(maps.Keys(questions)) {
		answer, err := askAsItIs(ctx, session, questions[key])
		if err != nil {
			return nil, err
		}
		answers[key] = answer
	}
	return answers, nil
}

func askAsItIs(ctx context.Context, session *mcp.ServerSession, q mcp.InputRequest) (mcp.InputResponse, error) {
	if form, ok := q.(*mcp.ElicitParams); ok {
		res, err := session.Elicit(ctx, form)
		if err != nil {
			return nil, err
		}
		return fetched(res, form)
	}
	k, err := kindOf(q)
	if err != nil {
		return nil, err
	}
	return k.request(ctx, session)
}

// Declared is a sending middleware for servers. It holds back requests of the
// server of a kind that the client did not declare, with the error -32021 (see
// [Undeclared]): what a handler asks by [mcp.ServerSession.Elicit] and its like,
// and what the SDK asks for a handler behind [Guard]. Without it, the client gets
// to see requests for its model and its roots that it cannot answer. Other
// questions of the same round may reach the client before: the SDK asks at once.
// A page gets the elicitationId that those revisions want, if the handler gave it
// none.
//
//	server.AddSendingMiddleware(gosdk.Declared)
func Declared(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		question, asks := req.GetParams().(mcp.InputRequest)
		if session, ok := req.GetSession().(*mcp.ServerSession); ok && asks {
			if p := session.InitializeParams(); p != nil {
				if err := Undeclared(mcp.InputRequestMap{"": question}, p.Capabilities); err != nil {
					return nil, err
				}
			}
		}
		if sent, ok := req.(*mcp.ServerRequest[mcp.Params]); ok {
			if page, ok := question.(*mcp.ElicitParams); ok {
				again := *sent
				again.Params = numbered(page)
				req = &again
			}
		}
		return next(ctx, method, req)
	}
}

// numbered is a page with an elicitationId. Revision 2025-11-25 needs one, and
// 2026-07-28, for which the handler was written, has none.
func numbered(p *mcp.ElicitParams) *mcp.ElicitParams {
	if p.ElicitationID != "" || p.URL == "" || p.Mode == "form" {
		return p
	}
	page := *p
	page.ElicitationID = rand.Text()
	return &page
}

// undeclaredIn is the error of [Declared] without what the SDK puts around it.
// Before a form or a page comes to that, the SDK itself says that the client did
// not declare it.
func (c *call) undeclaredIn(err error) error {
	var told *jsonrpc.Error
	switch said := err.Error(); {
	case errors.As(err, &told) && told.Code == mcp.CodeMissingRequiredClientCapabilities:
		return told
	case told != nil || !strings.HasPrefix(said, "multi-round-trip: "):
	case strings.HasSuffix(said, `client does not support "url" elicitation`):
		return cmp.Or(Undeclared(mcp.InputRequestMap{"": &mcp.ElicitParams{Mode: "url"}}, c.declared), err)
	case strings.HasSuffix(said, "client does not support elicitation"), strings.HasSuffix(said, `client does not support "form" elicitation`):
		return cmp.Or(Undeclared(mcp.InputRequestMap{"": &mcp.ElicitParams{Mode: "form"}}, c.declared), err)
	}
	return err
}

var (
	errBusy          = internalError("The server is busy: try again later")
	errEarlierRounds = internalError("The server still asks after ten rounds, and gave up the call: have its maker ask for more at once")
)
