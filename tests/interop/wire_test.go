package interop_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/tests/interop"
)

// message is a JSON-RPC message as a server sends it, and the event it came in.
type message struct {
	event  string // the last id of the stream
	ID     json.RawMessage
	Method string
	Params struct{ ElicitationID, Message string }
	Result struct {
		ResultType    string
		RequestState  *string
		InputRequests map[string]json.RawMessage
		Content       []struct{ Text string }
	}
	Error struct {
		Code int
		Data struct {
			Elicitations []struct{ Mode, ElicitationID, URL string }
		}
	}
}

// wire speaks HTTP with a server by hand.
type wire struct {
	t       *testing.T
	url     string
	headers map[string]string
}

// request sends a body, or GETs if there is none. It may be called from any
// goroutine: where there is no response, it reports that and returns an empty one.
func (w wire) request(body string, headers ...string) *http.Response {
	w.t.Helper()
	none := &http.Response{Header: http.Header{}, Body: http.NoBody}
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Error(err)
		return none
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range w.headers {
		req.Header.Set(name, value)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Error(err)
		return none
	}
	w.t.Cleanup(func() { res.Body.Close() })
	return res
}

// messages reads a response, one message at a time; closed at its end.
func (w wire) messages(res *http.Response) <-chan message {
	out := make(chan message, 100)
	go func() {
		defer close(out)
		var m message
		if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
			if err := json.NewDecoder(res.Body).Decode(&m); err == nil {
				out <- m
			}
			return
		}
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				m.event = id
			}
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if ok && json.Unmarshal([]byte(data), &m) == nil {
				out <- m
			}
		}
		out <- message{event: m.event} // for the id of an event without a message
	}()
	return out
}

// next returns the next message that is no log message.
func (w wire) next(from <-chan message) message {
	w.t.Helper()
	for {
		select {
		case m := <-from:
			if m.Method != "notifications/message" {
				return m
			}
		case <-time.After(interop.Patience):
			w.t.Errorf("no message within %v", interop.Patience)
			return message{}
		}
	}
}

// TestLegacyStreams holds the servers of the earlier era to what their tools
// promise about streams, which a client that works cannot tell.
func TestLegacyStreams(t *testing.T) {
	for _, server := range interop.Servers() {
		if server.Era != interop.Legacy {
			continue
		}
		t.Run(server.Name, func(t *testing.T) {
			t.Parallel()
			w := wire{t, server.Start(t), map[string]string{}}
			res := w.request(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
				`"capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"test","version":"1"}}}`)
			w.next(w.messages(res))
			w.headers["Mcp-Session-Id"] = res.Header.Get("Mcp-Session-Id")
			w.headers["MCP-Protocol-Version"] = "2025-11-25"
			if w.headers["Mcp-Session-Id"] == "" {
				t.Fatal("there is no session")
			}
			io.Copy(io.Discard, w.request(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).Body)
			own := w.messages(w.request(""))

			t.Run("asked on the server's own stream", func(t *testing.T) {
				result := make(chan message, 1)
				go func() {
					result <- w.next(w.messages(w.request(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_on_stream","arguments":{}}}`)))
				}()
				question := w.next(own)
				if question.Method != "elicitation/create" || question.Params.Message != "What is your name?" {
					t.Fatalf("got %+v, want a question", question)
				}
				answer := w.request(`{"jsonrpc":"2.0","id":` + string(question.ID) + `,"result":{"action":"accept","content":{"name":"Ada"}}}`)
				if answer.StatusCode != http.StatusAccepted {
					t.Errorf("the answer: got %s, want 202", answer.Status)
				}
				if m := <-result; len(m.Result.Content) != 1 || m.Result.Content[0].Text != "Ada" {
					t.Errorf("got %+v, want the result, alone on the response's stream", m)
				}
			})

			t.Run("page required", func(t *testing.T) {
				const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"require_page","arguments":{}}}`
				m := w.next(w.messages(w.request(call)))
				if m.Error.Code != -32042 || len(m.Error.Data.Elicitations) != 1 || m.Error.Data.Elicitations[0].Mode != "url" {
					t.Fatalf("got %+v, want error -32042 with a page", m)
				}
				page := m.Error.Data.Elicitations[0]
				(wire{t, page.URL, nil}).request("")
				if m := w.next(own); m.Method != "notifications/elicitation/complete" || m.Params.ElicitationID != page.ElicitationID {
					t.Errorf("got %+v, want the completion of %s", m, page.ElicitationID)
				}
			})

			t.Run("stream cut", func(t *testing.T) {
				if server.Name == "rust" {
					t.Skip("rmcp gives handlers no way to end a response's stream")
				}
				m := w.next(w.messages(w.request(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"cut_stream","arguments":{}}}`)))
				if m.event == "" || m.ID != nil {
					t.Fatalf("got %+v, want the end of the stream, with an event id", m)
				}
				m = w.next(w.messages(w.request("", "Last-Event-ID", m.event)))
				if string(m.ID) != "3" || m.Result.Content[0].Text != "resumed" {
					t.Errorf("got %+v, want the result", m)
				}
			})
		})
	}
}

// TestModernRounds holds the modern servers to the shapes that their tools
// promise.
func TestModernRounds(t *testing.T) {
	for _, server := range interop.Servers() {
		if server.Era != interop.Modern {
			continue
		}
		t.Run(server.Name, func(t *testing.T) {
			t.Parallel()
			w := wire{t, server.Start(t), map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call"}}
			call := func(name, arguments, more string, headers ...string) (message, int) {
				res := w.request(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+more+`,"_meta":{`+
					`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},`+
					`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}`, append(headers, "Mcp-Name", name)...)
				return w.next(w.messages(res)), res.StatusCode
			}

			m, _ := call("busy", `{"rounds":1}`, "")
			if m.Result.ResultType != "input_required" || m.Result.RequestState == nil || len(m.Result.InputRequests) > 0 {
				t.Fatalf("busy: got %+v, want a round with nothing but requestState", m.Result)
			}
			forged, _ := json.Marshal("x" + *m.Result.RequestState)
			if m, _ := call("busy", `{"rounds":1}`, `,"requestState":`+string(forged)); m.Error.Code != -32602 {
				t.Errorf("a forged state: got %+v, want error -32602", m)
			}

			right := []string{"Mcp-Param-Region", "eu", "Mcp-Param-Priority", "3"}
			if m, _ := call("deliver", `{"region":"eu","priority":3}`, "", right...); len(m.Result.InputRequests) != 1 {
				t.Errorf("the header fields: got %+v, want a question", m)
			}
			wrong := map[string][]string{"missing": right[:2], "different": {right[0], right[1], right[2], "4"}}
			for name, headers := range wrong {
				if m, status := call("deliver", `{"region":"eu","priority":3}`, "", headers...); m.Error.Code != -32020 || status != 400 {
					t.Errorf("a header field %s: got %d %+v, want 400 and error -32020", name, status, m.Error)
				}
			}
		})
	}
}
