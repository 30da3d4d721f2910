package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A story plays one round of a feature: it asks or it ends.
type story func(context.Context, *round) (reply, error)

// round is what a story decides from.
type round struct {
	*server
	session *mcp.ServerSession
	extra   *mcp.RequestExtra
	token   any // of progress notifications, nil if none are wanted
	args    json.RawMessage
	answers mcp.InputResponseMap
	state   string // what the round before remembered, "" in the first
}

// reply is the text that ends a feature, or questions, of which there may be
// none, and what to remember until they are answered.
type reply struct {
	text  string
	ask   mcp.InputRequestMap // nil in the last round
	state string
}

// mark precedes every requestState. A client that decodes the state and
// encodes it again is likely to change one of its characters.
const mark = "\"\\/<&>\u2028\u007f é😀 "

// patience is how long a person may take for a page, and for a question.
const patience = 3 * time.Minute

// play plays the round of a modern client, or all rounds of an earlier one,
// which is asked by requests of the server's own.
func (s *server) play(ctx context.Context, tell story, r *round) (reply, error) {
	r.server = s
	if r.state != "" {
		state, ok := strings.CutPrefix(r.state, mark)
		if !ok {
			return reply{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState did not come back as it was"}
		}
		r.state = state
	}
	for {
		rep, err := tell(ctx, r)
		if err != nil || rep.ask == nil {
			return rep, err
		}
		if !s.legacy {
			rep.state = mark + rep.state
			return rep, nil
		}
		if r.answers, err = s.ask(ctx, r.session, rep.ask); err != nil {
			return reply{}, err
		}
		r.state = rep.state
	}
}

// ask puts questions to a client of an earlier revision, one after another.
func (s *server) ask(ctx context.Context, session *mcp.ServerSession, questions mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	answers := mcp.InputResponseMap{}
	for _, key := range slices.Sorted(maps.Keys(questions)) {
		var err error
		switch q := questions[key].(type) {
		case *mcp.ElicitParams:
			answers[key], err = s.elicit(ctx, session, q)
		case *mcp.CreateMessageParams:
			answers[key], err = session.CreateMessage(ctx, q)
		case *mcp.ListRootsParams:
			answers[key], err = session.ListRoots(ctx, q)
		}
		if err != nil {
			return nil, fmt.Errorf("asking for %s: %w", key, err)
		}
	}
	return answers, nil
}

// elicit asks, and tells the client when the page of a URL question was
// visited.
func (s *server) elicit(ctx context.Context, session *mcp.ServerSession, q *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if q.Mode != "url" {
		return session.Elicit(ctx, q)
	}
	id := strings.TrimPrefix(q.URL, s.pages.base)
	q.ElicitationID = id
	res, err := session.Elicit(ctx, q)
	if err != nil || res.Action != "accept" {
		return res, err
	}
	if !s.pages.wait(ctx, id, patience) {
		return nil, fmt.Errorf("the page was not visited")
	}
	return res, session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: id})
}

// form is one of the forms that all servers ask.
func (r *round) form(name string) *mcp.ElicitParams {
	f := r.forms[name]
	return &mcp.ElicitParams{Mode: "form", Message: f.Message, RequestedSchema: f.RequestedSchema}
}

// elicited is the answer to a form: nil content and the text to end with if
// the person said no. asked is false if there is no answer.
func (r *round) elicited(key string) (content map[string]any, no string, asked bool) {
	switch res, _ := r.answers[key].(*mcp.ElicitResult); {
	case res == nil:
		return nil, "", false
	case res.Action == "accept":
		return res.Content, "", true
	case res.Action == "decline":
		return nil, "declined", true
	default:
		return nil, "cancelled", true
	}
}
