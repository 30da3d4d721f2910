package gosdk_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// scripted connects a client to a server that answers each tools/call with the
// lines that say gives, in which ID stands for the id of the request. It does
// what no server on an SDK does.
func scripted(t *testing.T, version string, say func(params json.RawMessage) []string) *shared {
	t.Helper()
	here, there := net.Pipe()
	go func() {
		lines := bufio.NewScanner(here)
		for lines.Scan() {
			var m struct {
				ID     json.RawMessage
				Method string
				Params json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
				t.Error(err)
			}
			var answers []string
			switch {
			case m.Method == "server/discover" && version >= "2026":
				answers = []string{`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["` + version + `"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`}
			case m.Method == "server/discover":
				answers = []string{`{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no"}}`}
			case m.Method == "initialize":
				answers = []string{`{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`}
			case m.Method == "tools/call":
				answers = say(m.Params)
			}
			for _, line := range answers {
				fmt.Fprintln(here, strings.ReplaceAll(line, "ID", string(m.ID)))
			}
		}
	}()
	t.Cleanup(func() { here.Close() })
	return sharedOver(t, there)
}

func sharedOver(t *testing.T, conn io.ReadWriteCloser) *shared {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		Capabilities: gosdk.Capabilities(engine.Can{Form: true, URL: true, Sampling: true, Roots: true}),
	})
	s := &shared{over: gosdk.Over(client)}
	var err error
	if s.connection, err = client.Connect(t.Context(), &mcp.IOTransport{Reader: conn, Writer: conn}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.connection.Close() })
	return s
}

// An answer at which the SDK panics costs the call that it is for, which is in
// doubt, and nothing else.
func TestOverPanic(t *testing.T) {
	const fine = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","content":[]}}`
	odd := []string{
		`{"resultType":"input_required","inputRequests":{"a":null}}`,
		`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":null}}}`,
		`{"resultType":"complete","content":[null]}`,
		`{"resultType":"complete","content":[{"type":"resource","resource":null}]}`,
		`{"resultType":"complete","content":[{"type":"tool_result","content":[null]}]}`,
		`{"resultType":"complete","content":null,"structuredContent":null,"_meta":null}`,
	}
	at := 0
	s := scripted(t, "2026-07-28", func(json.RawMessage) []string {
		at++
		if at > len(odd) {
			return []string{fine}
		}
		return []string{`{"jsonrpc":"2.0","id":ID,"result":` + odd[at-1] + `}`}
	})
	session := s.session(t, parley.Askers{Elicit: ada})
	panics := 0
	for _, result := range odd {
		_, err := callOver(t.Context(), session, `{"name":"t"}`)
		if err != nil && strings.Contains(err.Error(), "panicked") {
			panics++
			var failed *parley.Error
			if !errors.Is(err, fault.InDoubt) || !errors.As(err, &failed) || !failed.Resumable {
				t.Errorf("%s: got %v, want a call in doubt that can be resumed", result, err)
			}
			if !strings.Contains(err.Error(), "the client of the go-sdk panicked") {
				t.Errorf("%s: got %v, want it to name the SDK", result, err)
			}
		}
		t.Logf("%s: %v", result, err)
	}
	if panics == 0 {
		t.Error("the SDK panicked at none of them: this test shows nothing any more")
	}
	if out, err := callOver(t.Context(), session, `{"name":"t"}`); err != nil {
		t.Errorf("the call after: got %s %v", out.Result, err)
	}
}

// What the server says by itself ends no host either, nor does it stop the SDK's
// client: it comes in types of the SDK's, which a session is told of in text.
func TestOverHostile(t *testing.T) {
	var odd []string
	for _, params := range []string{``, `,"params":null`, `,"params":{}`, `,"params":[]`, `,"params":[null]`, `,"params":1`,
		`,"params":{"progressToken":null,"progress":null}`, `,"params":{"progressToken":{},"progress":1e999}`,
		`,"params":{"messages":[null],"maxTokens":1}`, `,"params":{"messages":[{"role":"user","content":null}],"maxTokens":1}`,
		`,"params":{"messages":[{"role":"user","content":[null]}],"maxTokens":1,"tools":[null]}`,
		`,"params":{"mode":"url","message":"m","elicitationId":null,"url":null,"requestedSchema":null,"_meta":null}`,
		`,"params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":null}}}`,
	} {
		for i, method := range []string{"notifications/progress", "notifications/elicitation/complete", "notifications/cancelled", "elicitation/create", "sampling/createMessage", "roots/list", "ping"} {
			id := ""
			if i > 2 {
				id = fmt.Sprintf(`"id":"q%d",`, len(odd))
			}
			odd = append(odd, `{"jsonrpc":"2.0",`+id+`"method":"`+method+`"`+params+`}`)
		}
	}
	next := 0
	s := scripted(t, "2025-11-25", func(json.RawMessage) []string {
		next++
		return []string{odd[next-1], `{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}`}
	})
	session := s.session(t, parley.Askers{Elicit: ada, ElicitURL: ada, Sample: ada, ListRoots: ada})
	for _, line := range odd {
		if _, err := callOver(t.Context(), session, `{"name":"t"}`); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}
