// Package proposals has servers of the proposals that became multi round-trip
// requests, for which there is no public implementation. Each plays the server's
// side of one of the proposals' own example flows, message for message, as
// the session scripts engine/testdata/sessions/proposal-*.txt have them.
package proposals

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

// Story is an example flow: a call, its questions' answers, and what goes over
// the wire.
type Story struct {
	Title   string
	Session json.RawMessage // the object of parley_session_new, without what the client can answer
	Tasks   bool            // a tool call may become a task
	Method  string
	Params  string   // of the call, JSON text
	Answers []string // in the order of the questions, JSON text
	Result  string   // of the call, JSON text

	exchanges []*exchange

	written, declared string // the capabilities in the script, and as a host declares them
}

// exchange is one HTTP request and its response.
type exchange struct {
	listen   bool // by GET
	headers  [][2]string
	body     string
	response []event
}

// event is a piece of a response. It comes after so many of the exchanges were
// begun.
type event struct {
	after  int
	body   string // of a message, "" at the end
	last   bool
	status int
}

// Read reads a story from a session script.
func Read(path string) (*Story, error) {
	script, err := enginetest.ReadScript(path)
	if err != nil {
		return nil, err
	}
	s := &Story{Answers: []string{}, Title: strings.TrimSpace(strings.TrimPrefix(script.Header, "#"))}
	begun := map[int]*exchange{}
	for _, block := range script.Blocks {
		verb, arg, _ := strings.Cut(block.Call, " ")
		var call struct {
			Method, Params, Type, Raw, Body string
			Exchange, Status                int
			Last                            bool
		}
		if err := json.Unmarshal([]byte(arg), &call); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, block.Call, err)
		}
		switch {
		case verb == "session":
			if err := s.open(arg); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		case verb == "call":
			s.Method, s.Params = call.Method, call.Params
		case call.Type == "answer":
			s.Answers = append(s.Answers, call.Raw)
		case call.Type == "message" || call.Type == "ended":
			e := begun[call.Exchange]
			if e == nil {
				return nil, fmt.Errorf("%s: exchange %d was not begun", path, call.Exchange)
			}
			e.response = append(e.response, event{after: len(s.exchanges), body: call.Body, last: call.Last || call.Type == "ended", status: call.Status})
		}
		if err := s.take(block.Answer, begun); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, block.Call, err)
		}
	}
	for _, e := range s.exchanges {
		if len(e.response) == 0 {
			return nil, fmt.Errorf("%s: nothing answers %s", path, e.body)
		}
	}
	return s, nil
}

// open reads the session. A script writes the capabilities out; a host says what
// it can answer, which is every question, and the engine spells it.
func (s *Story) open(session string) error {
	var shape map[string]json.RawMessage
	if err := json.Unmarshal([]byte(session), &shape); err != nil {
		return err
	}
	if err := json.Unmarshal(shape["capabilities"], &s.written); err != nil {
		return err
	}
	delete(shape, "capabilities")
	s.Tasks = strings.Contains(s.written, "io.modelcontextprotocol/tasks")
	declared, err := engine.Can{Form: true, URL: true, Sampling: true, Roots: true, Tasks: s.Tasks}.Declare(nil)
	if err != nil {
		return err
	}
	s.declared = string(declared)
	s.Session, err = json.Marshal(shape)
	return err
}

// take takes what the client does in one step.
func (s *Story) take(answer string, begun map[int]*exchange) error {
	if !strings.HasPrefix(answer, "{") {
		return nil
	}
	var step struct {
		Actions []struct {
			Type, Body, Result string
			Exchange           int
			Headers            [][2]string
		}
	}
	if err := json.Unmarshal([]byte(answer), &step); err != nil {
		return err
	}
	for _, a := range step.Actions {
		switch a.Type {
		case "post", "listen":
			body := strings.ReplaceAll(a.Body, s.written, s.declared)
			e := &exchange{listen: a.Type == "listen", headers: a.Headers, body: body}
			begun[a.Exchange] = e
			s.exchanges = append(s.exchanges, e)
		case "done":
			s.Result = a.Result
		}
	}
	return nil
}
