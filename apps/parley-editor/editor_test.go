package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
)

func TestMain(m *testing.M) { editortest.Main(m) }

// patience is how long something may take. It is no measure of anything.
const patience = 2 * time.Minute

// editor is an editor as parley-editor sees one: it frames and numbers messages
// with nothing of the program's own.
type editor struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	log strings.Builder // what the program writes to its standard error
	got strings.Builder // and to its standard output, but for the addresses that the browser is to open

	unable atomic.Bool // it cannot put a question after all

	mu      sync.Mutex
	next    int
	heard   string // the call of the last question
	replies map[int]chan reply
	asks    chan ask
	told    chan notification
	ended   chan struct{}
}

type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

type notification struct {
	Method string
	Params json.RawMessage
}

// ask is a question of any kind.
type ask struct {
	method   string
	Ask      string
	Call     string
	Server   string
	Subject  string
	Round    int
	Message  string
	MayPark  bool
	Problem  string
	Earlier  bool
	Form     string
	URL      string
	Parts    []string
	Loopback bool
	Repeat   bool
	Messages []struct{ Who, Text string }
	Request  string
	Words    string
	Host     string
	Status   int
	Scopes   []string
	Account  string
	Hint     string
	Fields   []field
}

type field struct {
	Label, Description, Hint, Kind, Format string
	Nothing, Leave                         string
	Required, ReadOnly                     bool
	Options                                []string
	Types                                  []field
	Value                                  *struct {
		Text   string
		Chosen []int
		Type   int
	}
}

// outcome is how a call ended.
type outcome struct {
	Call, Status, Text, Result, Reason, Problem string
	IsError, Kept, InDoubt, Again               bool
}

// start starts the program, as yet not initialized.
func start(t *testing.T, args ...string) *editor {
	t.Helper()
	e := &editor{
		t: t, cmd: exec.Command(editortest.Program(t), args...), replies: map[int]chan reply{},
		asks: make(chan ask, 100), told: make(chan notification, 10_000), ended: make(chan struct{}),
	}
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	e.cmd.Stderr = &e.log
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		e.read(bufio.NewReader(out))
		e.cmd.Wait()
		close(e.ended)
	}()
	t.Cleanup(func() {
		e.cmd.Process.Kill()
		<-e.ended
	})
	return e
}

// begin starts the program and initializes it with all kinds of question.
func begin(t *testing.T, args ...string) *editor {
	t.Helper()
	e := start(t, args...)
	e.must("initialize", `{"protocol":1,"client":{"name":"test","version":"1"},"asks":{"elicit":true,"url":true,"sample":true,"roots":true,"authorize":true},"audit":true}`)
	return e
}

func (e *editor) read(out *bufio.Reader) {
	for {
		size := 0
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				return
			}
			if line == "\r\n" {
				break
			}
			size, _ = strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "Content-Length:")))
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(out, body); err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
			reply
		}
		if err := json.Unmarshal(body, &m); err != nil {
			e.t.Errorf("a message is not JSON: %v: %q", err, body)
			return
		}
		if m.Method != "ask/browser" {
			e.got.Write(body)
		}
		id, _ := strconv.Atoi(string(m.ID))
		switch {
		case m.Method == "":
			e.mu.Lock()
			if waiting := e.replies[id]; waiting != nil {
				waiting <- m.reply
			}
			e.mu.Unlock()
		case m.ID == nil:
			e.told <- notification{m.Method, m.Params}
		default:
			a := ask{method: m.Method}
			if err := json.Unmarshal(m.Params, &a); err != nil {
				e.t.Errorf("%s: %v: %s", m.Method, err, m.Params)
			}
			e.mu.Lock()
			e.heard = a.Call
			e.mu.Unlock()
			if e.unable.Load() {
				e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no window\u0007"}}`, m.ID))
				break
			}
			e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID))
			e.asks <- a
		}
	}
}

// send frames a message and sends it.
func (e *editor) send(message string) {
	fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(message), message)
}

// request sends a request, whose reply comes out of the channel.
func (e *editor) request(method, params string) (id int, back <-chan reply) {
	e.mu.Lock()
	e.next++
	id = e.next
	waiting := make(chan reply, 1)
	e.replies[id] = waiting
	e.mu.Unlock()
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
	return id, waiting
}

// get waits for what comes out of a channel.
func get[T any](e *editor, what string, from <-chan T) T {
	e.t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		e.t.Fatalf("%s does not come; the program said %q", what, e.log.String())
		panic("unreachable")
	}
}

// do makes a request and returns its reply.
func (e *editor) do(method, params string) reply {
	e.t.Helper()
	_, back := e.request(method, params)
	return get(e, "the reply to "+method, back)
}

// must makes a request that has to succeed.
func (e *editor) must(method, params string) json.RawMessage {
	e.t.Helper()
	r := e.do(method, params)
	if r.Error != nil {
		e.t.Fatalf("%s: got the error %q", method, r.Error.Message)
	}
	return r.Result
}

// call begins a call of a tool.
func (e *editor) call(url, tool, arguments string) <-chan reply {
	_, back := e.request("call", fmt.Sprintf(`{"server":{"url":%q,"label":"the desk"},"tool":%q,"arguments":%q}`, url, tool, arguments))
	return back
}

// ask is the next question of a kind.
func (e *editor) ask(method string) ask {
	e.t.Helper()
	a := get(e, method, e.asks)
	if a.method != method {
		e.t.Fatalf("question: got %s, want %s", a.method, method)
	}
	return a
}

// answer answers a question; more goes into the answer.
func (e *editor) answer(a ask, action, more string) {
	e.t.Helper()
	e.must("answer", fmt.Sprintf(`{"ask":%q,"action":%q%s}`, a.Ask, action, more))
}

// end is how a call ended.
func (e *editor) end(back <-chan reply) outcome {
	e.t.Helper()
	r := get(e, "the end of the call", back)
	if r.Error != nil {
		e.t.Fatalf("the call: got the error %q", r.Error.Message)
	}
	var o outcome
	if err := json.Unmarshal(r.Result, &o); err != nil {
		e.t.Fatal(err)
	}
	return o
}

// notified waits for a notification whose params have a text.
func (e *editor) notified(method, text string) {
	e.t.Helper()
	for {
		if n := get(e, method, e.told); n.Method == method && strings.Contains(string(n.Params), text) {
			return
		}
	}
}

// parked is the list of parked calls as JSON.
func (e *editor) parked() (list []struct {
	Call, Server, Subject, Problem string
	Questions                      int
	InDoubt, Taken                 bool
}) {
	e.t.Helper()
	var result struct{ Calls json.RawMessage }
	if err := json.Unmarshal(e.must("parked", "{}"), &result); err != nil {
		e.t.Fatal(err)
	}
	if err := json.Unmarshal(result.Calls, &list); err != nil {
		e.t.Fatal(err)
	}
	return list
}

// gone waits until the program has ended, and returns its exit code.
func (e *editor) gone() int {
	e.t.Helper()
	get(e, "the program's end", e.ended)
	return e.cmd.ProcessState.ExitCode()
}

// kept are the flags for calls that are kept.
func kept(t *testing.T) []string {
	t.Helper()
	return []string{"--engine=native", "--state-dir", t.TempDir(), "--key-file", editortest.KeyFile(t)}
}

// running is the id of the call that was heard of last.
func (e *editor) running() string {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard
}
