package fleet_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// Whichever program has parked a call, at whichever store, the others see it there
// and go on with it.
func TestPrograms(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "../../apps/parley", "../../apps/parley-editor", "../../apps/parley-bridge")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	inRedis, err := backends.NewRedis(t.TempDir(), "--requirepass", "hunter2")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(inRedis.Kill)
	inRedis.User = ":hunter2@"
	inPostgres, err := backends.NewPostgres()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { inPostgres.Close() })
	for name, store := range map[string]string{"files": "file:" + filepath.Join(t.TempDir(), "calls"), "Redis": inRedis.URL(""), "PostgreSQL": inPostgres.URL("")} {
		t.Run(name, func(t *testing.T) {
			j := journal(filepath.Join(t.TempDir(), "journal"))
			key := newKey(t)
			p := programs{
				bin: bin, server: newServer(t, j, &seal.MemoryReplay{}).URL, key: key,
				env: append(os.Environ(), "PARLEY_STORE="+store, "PARLEY_SNAPSHOT_KEY_FILE="+key, "XDG_STATE_HOME="+t.TempDir(), "PARLEY_STATE_DIR="),
			}
			p.parley(t, 3, "{\"answers\":[]}", "call", p.server, "move", "id=terminal")
			p.edit(t, func(e *editing) {
				e.park("resume", fmt.Sprintf(`{"call":%q}`, e.parked(p.parked(t, 1)[0])))
				e.park("call", fmt.Sprintf(`{"server":{"url":%q},"tool":"move","arguments":%q}`, p.server, `{"id":"editor"}`))
			})
			p.bridge(t)
			all := p.parked(t, 3)
			for _, id := range all {
				said := p.parley(t, 0, `{"answers":[{"key":"elicitation-1","action":"accept","content":{"ok":true}},{"key":"elicitation-2","action":"accept","content":{"ok":true}}]}`, "resume", id)
				t.Logf("%s", said)
			}
			p.parked(t, 0)
			if n := j.count("effect"); n != 3 {
				t.Errorf("%d effects of 3 calls", n)
			}
		})
	}
}

type programs struct {
	bin, server, key string
	env              []string
}

func (p programs) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, name), args...)
	cmd.Env = p.env
	return cmd
}

// parley runs the program for the terminal, with a script of answers.
func (p programs) parley(t *testing.T, code int, script string, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(name, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	if args[0] != "parked" {
		args = append(args, "--script", name)
	}
	cmd := p.command("parley", args...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != code || strings.Contains(log.String(), "hunter2") {
		t.Fatalf("parley %s: exit code %d, want %d\n%s", args[0], got, code, &log)
	}
	return out.String()
}

// parked is what the ids of the calls that parley lists begin with.
func (p programs) parked(t *testing.T, want int) (ids []string) {
	t.Helper()
	said := p.parley(t, 0, "", "parked")
	for line := range strings.Lines(said) {
		if id, _, _ := strings.Cut(line, " "); len(id) == 10 {
			ids = append(ids, id)
		}
	}
	if len(ids) != want {
		t.Fatalf("parked: got %v, want %d: %s", ids, want, said)
	}
	return ids
}

// bridge has a client of 2025 call through a bridge that is told to stop while
// somebody is asked.
func (p programs) bridge(t *testing.T) {
	t.Helper()
	cmd := p.command("parley-bridge", "--listen", ":0", "--key-file", p.key, p.server)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			cmd.Process.Signal(syscall.SIGTERM)
			<-ctx.Done() // somebody thinks
			return nil, ctx.Err()
		},
	})
	url := strings.TrimPrefix(strings.TrimSpace(line), "listening on ")
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "move", Arguments: map[string]any{"id": "bridge"}})
	if err == nil {
		t.Errorf("the call through the bridge: got %+v", res)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the bridge: %v", err)
	}
}

// editing is an editor and its helper.
type editing struct {
	t    *testing.T
	in   io.Writer
	out  *bufio.Reader
	last int
}

func (p programs) edit(t *testing.T, do func(*editing)) {
	t.Helper()
	cmd := p.command("parley-editor", "--key-file", p.key)
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if errIn != nil || errOut != nil || cmd.Start() != nil {
		t.Fatal("the helper does not start")
	}
	e := &editing{t: t, in: in, out: bufio.NewReader(out)}
	e.reply(e.request("initialize", `{"protocol":1,"client":{"name":"test","version":"1"},"asks":{"elicit":true}}`), nil)
	do(e)
	in.Close()
	cmd.Wait()
}

func (e *editing) request(method, params string) int {
	e.last++
	text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, e.last, method, params)
	fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(text), text)
	return e.last
}

// reply is the one to a request; what is asked meanwhile is told.
func (e *editing) reply(to int, asked func(ask string)) json.RawMessage {
	e.t.Helper()
	for {
		header, err := e.out.ReadString('\n')
		if err == nil {
			_, err = e.out.ReadString('\n')
		}
		size, _ := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(header, "Content-Length:")))
		body := make([]byte, size)
		if err == nil {
			_, err = io.ReadFull(e.out, body)
		}
		var m struct {
			ID     int
			Method string
			Params struct{ Ask string }
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err == nil {
			err = json.Unmarshal(body, &m)
		}
		switch {
		case err != nil || m.Error != nil:
			e.t.Fatalf("the helper: %v, %s", err, m.Error)
		case m.Method == "" && m.ID == to:
			return m.Result
		case m.Method == "ask/elicit" && asked != nil:
			asked(m.Params.Ask)
		}
	}
}

// park makes or goes on with a call, which is parked when it asks.
func (e *editing) park(method, params string) {
	e.t.Helper()
	end := e.reply(e.request(method, params), func(ask string) { e.request("answer", fmt.Sprintf(`{"ask":%q,"action":"park"}`, ask)) })
	if !strings.Contains(string(end), `"kept":true`) {
		e.t.Fatalf("%s in the helper: got %s", method, end)
	}
}

// parked is the id of the only call that the helper lists, which begins as parley
// shows it.
func (e *editing) parked(begins string) string {
	e.t.Helper()
	var list struct{ Calls []struct{ Call string } }
	text := e.reply(e.request("parked", "{}"), nil)
	if err := json.Unmarshal(text, &list); err != nil || len(list.Calls) != 1 || !strings.HasPrefix(list.Calls[0].Call, begins) {
		e.t.Fatalf("the helper lists %s, %v", text, err)
	}
	return list.Calls[0].Call
}
