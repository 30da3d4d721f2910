package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/engine/fault"
	sessions "github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// Answers that people give.
const (
	duplicate = `{"action":"accept","content":{"resolution":"Duplicate"}}`
	fixed     = `{"action":"accept","content":{"resolution":"Fixed"}}`
	original  = `{"action":"accept","content":{"original_id":4242,"comment":"The same crash, reported a day earlier."}}`
	decline   = `{"action":"decline"}`
	cancel    = `{"action":"cancel"}`
)

// What the tools are called with, and what they ask.
const (
	oslo       = `{"location":"Oslo"}`
	resolved   = `{"id":4711,"state":"Resolved"}`
	resolution = "How was work item 4711 resolved?"
	ofWhich    = "Which other work item does 4711 duplicate?"
	isResolved = `Work item 4711 is now Resolved as a duplicate of 4242. Comment: "The same crash, reported a day earlier.".`
)

// Server plays calls to a server that has the tools get_weather and
// update_work_item. port is the arguments that have it take a free port; its keys
// are in the file of --key-file.
func Server(t *testing.T, command []string, port ...string) {
	t.Run("calls", func(t *testing.T) { calls(t, start(t, command, port...)) })
	t.Run("states", func(t *testing.T) { states(t, start(t, command, port...)) })
	t.Run("restart", func(t *testing.T) { restart(t, command, port) })
	t.Run("port taken", func(t *testing.T) { taken(t, command, port) })
}

// taken has a server listen where another program does: it says so in a line, and
// what to do.
func taken(t *testing.T, command, port []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, number, _ := net.SplitHostPort(l.Addr().String())
	flag, value := port[0], strings.TrimSuffix(port[1], "0")+number
	words := append(slices.Clone(command), flag, value)
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	if err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), "in use") || !strings.Contains(string(out), flag+" "+port[1]) {
		t.Errorf("got %v, want one line that names %s %s:\n%s", err, flag, port[1], out)
	}
}

// calls plays whole calls.
func calls(t *testing.T, server *process) {
	tests := map[string]struct {
		tool, arguments string
		answers         []string
		asked           []string
		want            string
	}{
		"one form":        {"get_weather", oslo, []string{`{"action":"accept","content":{"units":"imperial"}}`}, []string{"Which units should the weather in Oslo be in?"}, "Oslo: 64 °F, light rain, wind 9 mph."},
		"no preference":   {"get_weather", oslo, []string{decline}, []string{"Which units should the weather in Oslo be in?"}, "Oslo: 18 °C, light rain, wind 15 km/h."},
		"no weather":      {"get_weather", oslo, []string{cancel}, []string{"Which units should the weather in Oslo be in?"}, "The user cancelled: no weather for Oslo."},
		"nothing to ask":  {"update_work_item", `{"id":4711,"state":"Active"}`, nil, nil, "Work item 4711 is now Active."},
		"fixed":           {"update_work_item", resolved, []string{fixed}, []string{resolution}, "Work item 4711 is now Resolved as Fixed."},
		"two forms":       {"update_work_item", resolved, []string{duplicate, original}, []string{resolution, ofWhich}, isResolved},
		"no comment":      {"update_work_item", resolved, []string{duplicate, `{"action":"accept","content":{"original_id":4242}}`}, []string{resolution, ofWhich}, "Work item 4711 is now Resolved as a duplicate of 4242."},
		"of itself":       {"update_work_item", resolved, []string{duplicate, `{"action":"accept","content":{"original_id":4711}}`}, []string{resolution, ofWhich}, "Work item 4711 is unchanged: it cannot duplicate itself."},
		"first declined":  {"update_work_item", resolved, []string{decline}, []string{resolution}, "Work item 4711 is unchanged: the user declined to give a resolution."},
		"first closed":    {"update_work_item", resolved, []string{cancel}, []string{resolution}, "Work item 4711 is unchanged: the user cancelled."},
		"second declined": {"update_work_item", resolved, []string{duplicate, decline}, []string{resolution, ofWhich}, "Work item 4711 is unchanged: the user declined to name the original."},
		"second closed":   {"update_work_item", resolved, []string{duplicate, cancel}, []string{resolution, ofWhich}, "Work item 4711 is unchanged: the user cancelled after choosing Duplicate."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			person := &person{answers: tt.answers}
			out, err := session(t, server.url, person).Call(t.Context(), parley.Request{Method: "tools/call", Params: params(tt.tool, tt.arguments)})
			if err != nil {
				t.Fatal(err)
			}
			if got := text(t, out.Result); got != tt.want || !slices.Equal(person.asked, tt.asked) {
				t.Errorf("got %q after %q, want %q after %q", got, person.asked, tt.want, tt.asked)
			}
		})
	}
}

// restart parks a call at its second question and goes on with it elsewhere.
func restart(t *testing.T, command, port []string) {
	withKeys := func(file string) *process { return start(t, command, append([]string{"--key-file", file}, port...)...) }
	keys, others := newKeys(t), newKeys(t)
	first := withKeys(keys)
	parked, err := session(t, first.url, &person{answers: []string{duplicate}}).
		Call(t.Context(), parley.Request{Method: "tools/call", Params: params("update_work_item", resolved)})
	if err != nil || !parked.Parked {
		t.Fatalf("parking it: got %+v, %v", parked, err)
	}
	first.stop()

	rest := &person{answers: []string{original}}
	out, err := session(t, withKeys(keys).url, rest).Resume(t.Context(), parley.Resumption{Snapshot: parked.Snapshot})
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, out.Result); got != isResolved || !slices.Equal(rest.asked, []string{ofWhich}) {
		t.Errorf("with the same keys: got %q after %q, want %q", got, rest.asked, isResolved)
	}

	rest = &person{answers: []string{original}}
	_, err = session(t, withKeys(others).url, rest).Resume(t.Context(), parley.Resumption{Snapshot: parked.Snapshot})
	if !errors.Is(err, fault.State) {
		t.Errorf("with other keys: got error %v, want %v", err, fault.State)
	}
}

// newKeys makes a key file and returns its name.
func newKeys(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "keys")
	key, err := seal.GenerateKey(codec.SuiteXChaCha)
	if err != nil {
		t.Fatal(err)
	}
	if err := seal.CreateKeyFile(file, key); err != nil {
		t.Fatal(err)
	}
	return file
}

// person answers questions in turn, and parks the call when there is no answer
// left.
type person struct {
	answers, asked []string
}

func (p *person) elicit(_ context.Context, q parley.Question) ([]byte, error) {
	if len(p.asked) == len(p.answers) || q.Problem != "" {
		return nil, parley.ErrPark
	}
	var params struct{ Message string }
	if err := json.Unmarshal(q.Params, &params); err != nil {
		return nil, err
	}
	p.asked = append(p.asked, params.Message)
	return []byte(p.answers[len(p.asked)-1]), nil
}

func session(t *testing.T, url string, p *person) *parley.Session {
	t.Helper()
	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "play", Version: "1"},
		Askers:     parley.Askers{Elicit: p.elicit},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// states sends single requests, of a client that means no good.
func states(t *testing.T, server *process) {
	asked := leg(t, server.url, params("update_work_item", resolved))
	if asked.Result.RequestState == "" || len(asked.Result.InputRequests) != 1 {
		t.Fatalf("got %s, want a question", asked.body)
	}
	var key string
	for key = range asked.Result.InputRequests {
	}
	// retry is what comes back of it, for a call with these arguments.
	retry := func(arguments, state, answer string) reply {
		state = fmt.Sprintf(`,"requestState":%q`, state)
		if answer != "" {
			answer = fmt.Sprintf(`,"inputResponses":{%q:%s}`, key, answer)
		}
		return leg(t, server.url, fmt.Appendf(nil, `{"name":"update_work_item","arguments":%s%s%s}`, arguments, state, answer))
	}
	state := asked.Result.RequestState
	if got := retry(resolved, state, fixed); len(got.Result.Content) != 1 {
		t.Errorf("an honest answer: got %s, want the result", got.body)
	}
	if got := retry(resolved, state, ""); len(got.Result.InputRequests) != 1 {
		t.Errorf("no answer: got %s, want the question again", got.body)
	}
	if got := retry(resolved, state, `{"action":"accept","content":{"resolution":"Whatever"}}`); strings.Contains(got.body, "is now Resolved") {
		t.Errorf("an answer that does not fit: got %s", got.body)
	}
	if got := leg(t, server.url, fmt.Appendf(nil, `{"name":"update_work_item","arguments":%s,"inputResponses":{%q:%s}}`, resolved, key, fixed)); len(got.Result.InputRequests) != 1 {
		t.Errorf("an answer without a state: got %s, want the question", got.body)
	}
	middle := len(state) / 2
	other := byte('A')
	if state[middle] == other {
		other = 'B'
	}
	for name, got := range map[string]reply{
		"forged":  retry(resolved, state[:middle]+string(other)+state[middle+1:], fixed),
		"cut":     retry(resolved, state[:middle], fixed),
		"made up": retry(resolved, `{"resolution":{"action":"accept","content":{"resolution":"Fixed"}}}`, ""),
		"moved":   retry(`{"id":1,"state":"Resolved"}`, state, fixed),
	} {
		if got.Error.Code != -32602 {
			t.Errorf("a state that is %s: got %s, want error -32602", name, got.body)
		}
	}
}

// reply is what a server answers to one request.
type reply struct {
	body   string
	Result struct {
		RequestState  string
		InputRequests map[string]json.RawMessage
		Content       []struct{ Text string }
	}
	Error struct{ Code int }
}

// leg sends one request.
func leg(t *testing.T, url string, params []byte) (r reply) {
	t.Helper()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"play","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
	client := &parley.StreamableHTTP{URL: url}
	came := make(chan sessions.Event, 100)
	client.Perform(t.Context(), sessions.Post{
		Exchange: 1,
		Headers: []sessions.Header{
			{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json, text/event-stream"},
			{Name: "MCP-Protocol-Version", Value: "2026-07-28"}, {Name: "Mcp-Method", Value: "tools/call"}, {Name: "Mcp-Name", Value: "update_work_item"},
		},
		Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s,%s}}`, params[:len(params)-1], meta),
	}, func(ev sessions.Event, _ error) { came <- ev })
	if err := client.Close(); err != nil { // waits for it
		t.Error(err)
	}
	first := <-came
	message, ok := first.(sessions.Message)
	if !ok {
		t.Fatalf("the server sent no response: %+v", first)
	}
	r.body = string(message.Body)
	if err := json.Unmarshal(message.Body, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func params(tool, arguments string) []byte {
	return fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, tool, arguments)
}

// text is that of a result.
func text(t *testing.T, result []byte) string {
	t.Helper()
	var r struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(result, &r); err != nil || len(r.Content) != 1 {
		t.Fatalf("result %s: %v", result, err)
	}
	return r.Content[0].Text
}
