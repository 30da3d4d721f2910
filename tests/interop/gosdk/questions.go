package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func askForm(_ context.Context, r *round) (reply, error) {
	content, no, asked := r.elicited("form")
	switch {
	case !asked:
		return reply{ask: mcp.InputRequestMap{"form": r.form("person")}}, nil
	case no != "":
		return reply{text: no}, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(content)
	return reply{text: "accepted " + strings.TrimSpace(b.String())}, err
}

func askTwice(_ context.Context, r *round) (reply, error) {
	if r.state == "" {
		content, no, asked := r.elicited("kind")
		kind, _ := content["kind"].(string)
		switch {
		case !asked:
			return reply{ask: mcp.InputRequestMap{"kind": r.form("kind")}}, nil
		case no != "":
			return reply{text: no}, nil
		}
		return reply{ask: mcp.InputRequestMap{"which": r.form(kind)}, state: kind}, nil
	}
	content, no, _ := r.elicited("which")
	if no != "" {
		return reply{text: no}, nil
	}
	return reply{text: fmt.Sprintf("a %s: %v", r.state, content["which"])}, nil
}

func askAll(_ context.Context, r *round) (reply, error) {
	content, no, asked := r.elicited("form")
	switch {
	case !asked:
		return reply{ask: mcp.InputRequestMap{
			"form":  r.form("name"),
			"roots": &mcp.ListRootsParams{},
			"sample": &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{
				{Role: "user", Content: &mcp.TextContent{Text: "Write a line about the sea."}},
			}},
		}}, nil
	case no != "":
		return reply{text: no}, nil
	}
	roots, ok := r.answers["roots"].(*mcp.ListRootsResult)
	if !ok || len(roots.Roots) == 0 {
		return reply{text: "no roots"}, nil
	}
	return reply{text: fmt.Sprintf("%v; %s; %s", content["name"], sampled(r.answers["sample"]), roots.Roots[0].URI)}, nil
}

// sampled is the text of what the client's model wrote. The SDK reads answers
// of a modern client as those of a model that has tools.
func sampled(answer mcp.InputResponse) string {
	var text *mcp.TextContent
	switch res := answer.(type) {
	case *mcp.CreateMessageResult:
		text, _ = res.Content.(*mcp.TextContent)
	case *mcp.CreateMessageWithToolsResult:
		if len(res.Content) > 0 {
			text, _ = res.Content[0].(*mcp.TextContent)
		}
	}
	if text == nil {
		return "no text"
	}
	return text.Text
}

func askOnStream(ctx context.Context, r *round) (reply, error) {
	// The SDK finds the request's stream in its context: without one, it takes the session's own.
	alone, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	res, err := r.session.Elicit(alone, r.form("name"))
	if err != nil {
		return reply{}, err
	}
	return reply{text: fmt.Sprint(res.Content["name"])}, nil
}

func advise(_ context.Context, r *round) (reply, error) {
	var in struct{ Topic string }
	if err := json.Unmarshal(r.args, &in); err != nil {
		return reply{}, err
	}
	content, no, asked := r.elicited("tone")
	switch {
	case !asked:
		return reply{ask: mcp.InputRequestMap{"tone": r.form("tone")}}, nil
	case no != "":
		return reply{text: fmt.Sprintf("Advise on %s.", in.Topic)}, nil
	}
	return reply{text: fmt.Sprintf("Advise on %s in a %v tone.", in.Topic, content["tone"])}, nil
}

func report(_ context.Context, r *round) (reply, error) {
	content, no, asked := r.elicited("quarter")
	switch {
	case !asked:
		return reply{ask: mcp.InputRequestMap{"quarter": r.form("quarter")}}, nil
	case no != "":
		return reply{text: "Report for the year."}, nil
	}
	return reply{text: fmt.Sprintf("Report for %v.", content["quarter"])}, nil
}
