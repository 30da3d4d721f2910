// Command loop-go calls a tool over a connection of its own, a client of the
// official SDK, and drives Parley's loop by hand. README.md says how to run it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/terminal"
	"github.com/parley-mcp/parley/sentence"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 && len(os.Args) != 4 {
		log.Fatal("Usage: loop-go URL TOOL ARGUMENTS, the arguments as JSON; or loop-go URL FILE, to resume a call")
	}
	core, err := session.New(session.Options{Transport: session.Requests, Can: &engine.Can{Form: true}})
	if err != nil {
		log.Fatal(err)
	}
	url, file, call := os.Args[1], "parked.json", 0
	if len(os.Args) == 4 {
		var name []byte
		if name, err = json.Marshal(os.Args[2]); err == nil {
			call, err = core.Call("tools/call", fmt.Appendf(nil, `{"name":%s,"arguments":%s}`, name, os.Args[3]), engine.Options{Peer: url})
		}
	} else if snapshot, failed := os.ReadFile(os.Args[2]); failed != nil {
		err = failed
	} else {
		file = os.Args[2]
		call, err = core.Restore(snapshot, engine.Expect{Peer: url})
	}
	if err == nil {
		err = drive(core, call, file, connect(url))
	}
	if err != nil {
		log.Fatal(terminal.Shown(err.Error()))
	}
}

// drive steps a call until it is over. It does one thing at a time, so nothing
// happens while the server works or the person thinks.
func drive(core *session.Session, call int, file string, send func(session.Request) ([]byte, error)) (err error) {
	ask := terminal.Askers(os.Stdin, os.Stdout).Elicit
	save := func() error { // in file, which holds a secret then
		snapshot, err := core.Snapshot(call)
		if err != nil {
			return err
		}
		return os.WriteFile(file, snapshot, 0o600)
	}
	events := []session.Event{session.To{Call: call, Event: engine.Begin{Save: true}}} // to be stepped
	tell := func(event engine.Event) { events = append(events, session.To{Call: call, Event: event}) }
	over, until := false, int64(0)
	for !over {
		if len(events) == 0 { // the server is to be asked later
			time.Sleep(time.Until(time.UnixMilli(until)))
			tell(engine.Tick{})
		}
		actions, wrong := core.Step(time.Now().UnixMilli(), events[0])
		if wrong != nil {
			return wrong
		}
		events = events[1:]
		for _, action := range actions {
			if r, is := action.(session.Request); is {
				events = append(events, exchange(r, send))
			}
			of, _ := action.(session.From)
			switch a := of.Action.(type) {
			case engine.Save:
				if err := save(); err != nil {
					tell(engine.SaveFailed{Reason: sentence.Value(err.Error())})
				} else {
					tell(engine.Saved{})
				}
			case engine.Ask:
				answer, err := ask(context.Background(), parley.Question{Params: a.Params, Problem: a.Problem})
				switch {
				case errors.Is(err, parley.ErrPark):
					tell(engine.Park{Ask: a.ID})
				case err != nil:
					tell(engine.Refuse{Ask: a.ID, Reason: sentence.Value(err.Error())})
				default:
					tell(engine.Answer{Ask: a.ID, Raw: answer})
				}
			case engine.Wait:
				until = a.Until
			case engine.Done:
				fmt.Println("\n" + terminal.Shown(string(a.Result)))
				over, err = true, os.Remove(file)
			case engine.Parked:
				over, err = true, errors.Join(save(), fmt.Errorf("the call is parked in %s", file))
			case engine.Failed:
				over, err = true, fmt.Errorf("%v: %v %s", a.Code, a.Detail, a.Error)
				if a.Resumable {
					err = errors.Join(save(), err)
				} else { // the file has no call any more
					os.Remove(file)
				}
			}
		}
	}
	return err
}

// exchange sends a request, and says what came of it.
func exchange(r session.Request, send func(session.Request) ([]byte, error)) session.Event {
	response, err := send(r)
	if err != nil {
		return session.Ended{Exchange: r.Exchange, Reason: sentence.Value(err.Error()), Unsent: errors.Is(err, parley.ErrUnsent)}
	}
	return session.Message{Exchange: r.Exchange, Body: response, Last: true}
}

// connect returns a function that sends a request and returns the JSON-RPC
// response. Here that is a client of the SDK, which connects with the first
// request. Tools are all that this program calls.
func connect(url string) func(session.Request) ([]byte, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "loop-go", Version: "0.1.0"}, &mcp.ClientOptions{
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}, // the rounds are Parley's
	})
	connected := sync.OnceValues(func() (*mcp.ClientSession, error) {
		return client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	})
	return func(r session.Request) ([]byte, error) {
		connection, err := connected()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", parley.ErrUnsent, err)
		}
		var p mcp.CallToolParamsRaw // keeps the arguments as they are
		if err := json.Unmarshal(r.Params, &p); err != nil {
			return nil, fmt.Errorf("%w: %w", parley.ErrUnsent, err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Second) // the engine's own bound is a minute
		defer cancel()
		result, err := connection.CallTool(ctx, &mcp.CallToolParams{
			Meta: mcp.Meta{mcp.MetaKeyClientCapabilities: json.RawMessage(r.Capabilities)},
			Name: p.Name, Arguments: p.Arguments, InputResponses: p.InputResponses, RequestState: p.RequestState,
		})
		var refused *jsonrpc.Error
		if errors.As(err, &refused) {
			return json.Marshal(map[string]any{"jsonrpc": "2.0", "id": r.Exchange, "error": refused})
		} else if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"jsonrpc": "2.0", "id": r.Exchange, "result": result})
	}
}
