package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stepUp wants the scope deploy for the second leg of the tool of that name, or,
// in sessions, for the answer to its question: the first may still be asked with
// what everybody has.
func stepUp(metadata string, next http.Handler) http.Handler {
	var last sync.Map // tool by session
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var message struct {
			Method string
			Params struct {
				Name           string
				InputResponses map[string]any
			}
			Result json.RawMessage
		}
		json.Unmarshal(body, &message) // the SDK says what is wrong with it
		session := r.Header.Get("Mcp-Session-Id")
		if message.Method == "tools/call" {
			last.Store(session, message.Params.Name)
		}
		tool, _ := last.Load(session)
		answers := message.Method == "tools/call" && len(message.Params.InputResponses) > 0 || session != "" && message.Result != nil
		if answers && tool == "deploy" && !allows(r.Context(), "deploy") {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope="work deploy", resource_metadata=%q`, metadata))
			http.Error(w, "insufficient scope", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func addTools(server *mcp.Server, seen *ledger, legacy bool) {
	object := json.RawMessage(`{"type":"object"}`)
	add := func(name string, rounds int) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: object}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for {
				res, err := play(name, rounds, req, seen)
				if err != nil || !legacy || res.InputRequests == nil {
					return res, err
				}
				params := *req.Params
				params.RequestState, params.InputResponses = res.RequestState, mcp.InputResponseMap{}
				for key, question := range res.InputRequests {
					if params.InputResponses[key], err = req.Session.Elicit(ctx, question.(*mcp.ElicitParams)); err != nil {
						return nil, err
					}
				}
				again := *req
				again.Params, req = &params, &again
			}
		})
	}
	add("look", 0)
	add("deploy", 1)
	add("move", 2)
}

// answers are what a tool was told so far, which is its requestState.
type answers struct{ Target, Reason string }

// play plays one leg of a tool that asks where, and then perhaps why.
func play(name string, rounds int, req *mcp.CallToolRequest, seen *ledger) (*mcp.CallToolResult, error) {
	var told answers
	if req.Params.RequestState != "" {
		if err := json.Unmarshal([]byte(req.Params.RequestState), &told); err != nil {
			return nil, err
		}
	}
	if answer, ok := req.Params.InputResponses["target"].(*mcp.ElicitResult); ok {
		told.Target, _ = answer.Content["target"].(string)
	}
	if answer, ok := req.Params.InputResponses["reason"].(*mcp.ElicitResult); ok {
		told.Reason, _ = answer.Content["reason"].(string)
	}
	ask := func(key, message string) (*mcp.CallToolResult, error) {
		seen.count("%s asked for %s", name, key)
		state, err := json.Marshal(told)
		if err != nil {
			return nil, err
		}
		schema := json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string"}},"required":[%q]}`, key, key))
		return &mcp.CallToolResult{RequestState: string(state), InputRequests: mcp.InputRequestMap{
			key: &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema},
		}}, nil
	}
	switch {
	case rounds > 0 && told.Target == "":
		return ask("target", "Where to?")
	case rounds > 1 && told.Reason == "":
		return ask("reason", "Why?")
	}
	seen.count("%s ran", name)
	who := req.Extra.TokenInfo.UserID
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s by %s: %s %s", name, who, told.Target, told.Reason)}}}, nil
}
