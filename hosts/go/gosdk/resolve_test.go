package gosdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

type room struct {
	Floor int    `json:"floor"`
	View  string `json:"view,omitempty"`
}

type remark struct {
	Text string `json:"text"`
}

type booking struct {
	City string  `json:"city"`
	Room room    `json:"-" ask:"Which room?"`
	Note *remark `json:"-" ask:"Anything else?"`
}

// resolving adds the tool "book", and counts how often its handler ran.
func resolving(runs *int) func(*mcp.Server) {
	return func(s *mcp.Server) {
		mcp.AddTool(s, &mcp.Tool{Name: "book"}, gosdk.Resolve(
			func(_ context.Context, req *mcp.CallToolRequest, in booking) (*mcp.CallToolResult, any, error) {
				*runs++
				note := "nothing"
				if in.Note != nil {
					note = in.Note.Text
				}
				return result("%s %d %q %s %q", in.City, in.Room.Floor, in.Room.View, note, req.Params.RequestState), nil, nil
			}))
	}
}

// TestResolve asks in rounds for what the model cannot set.
func TestResolve(t *testing.T) {
	no := &mcp.ElicitResult{Action: "decline"}
	answer := func(content map[string]any) *mcp.ElicitResult { return accept(content) }
	floor, note := answer(map[string]any{"floor": 7, "Floor": 9, "extra": true}), answer(map[string]any{"text": "late"})
	tests := map[string]struct {
		rounds []mcp.InputResponseMap
		want   []string // after the first, which asks for both
		runs   int
	}{
		"both":         {[]mcp.InputResponseMap{{"Room": floor, "Note": note}}, []string{`Oslo 7 "" late ""`}, 1},
		"one by one":   {[]mcp.InputResponseMap{{"Note": note}, {"Room": floor}}, []string{"? Room", `Oslo 7 "" late ""`}, 1},
		"unfit":        {[]mcp.InputResponseMap{{"Note": note, "Room": answer(map[string]any{"floor": "x"})}, {"Room": floor}}, []string{"? Room", `Oslo 7 "" late ""`}, 1},
		"no note":      {[]mcp.InputResponseMap{{"Room": floor, "Note": no}}, []string{`Oslo 7 "" nothing ""`}, 1},
		"no room":      {[]mcp.InputResponseMap{{"Room": no, "Note": note}}, []string{`error: The person declined to answer the question "Which room?"`}, 0},
		"a room later": {[]mcp.InputResponseMap{{"Room": &mcp.ElicitResult{Action: "cancel"}, "Note": no}}, []string{`error: The person dismissed the question "Which room?"`}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			runs := 0
			session := legs(t, serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, resolving(&runs))), everything())
			args := map[string]any{"city": "Oslo"}
			got, state := call(t, session, "book", args, nil, "")
			if got != "? Note Room" {
				t.Fatalf("got %s, want both questions", got)
			}
			for i, answers := range tt.rounds {
				if got, state = call(t, session, "book", args, answers, state); got != tt.want[i] {
					t.Fatalf("round %d: got %s, want %s", i, got, tt.want[i])
				}
			}
			if runs != tt.runs {
				t.Errorf("the handler ran %d times, want %d", runs, tt.runs)
			}
		})
	}
}

// TestResolveSchema keeps what the person is asked for out of the model's hands.
func TestResolveSchema(t *testing.T) {
	runs := 0
	session := legs(t, serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, resolving(&runs))), everything())
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(tools.Tools[0].InputSchema); !strings.Contains(string(got), `"properties":{"city":{"type":"string"}}`) {
		t.Errorf("schema: got %s, want the city alone", got)
	}
	for _, name := range []string{"Room", "room", "-"} {
		args := map[string]any{"city": "Oslo", name: map[string]any{"floor": 3}}
		if got, _ := call(t, session, "book", args, nil, ""); !strings.HasPrefix(got, "error: validating") {
			t.Errorf("%s as an argument: got %s, want an error", name, got)
		}
	}
}

// TestResolveEarlier asks a client of an earlier revision by requests.
func TestResolveEarlier(t *testing.T) {
	server := legacyServer(nil, gosdk.Options{})
	runs := 0
	resolving(&runs)(server)
	answers := map[string]*mcp.ElicitResult{"Which room?": accept(map[string]any{"floor": 7}), "Anything else?": {Action: "decline"}}
	session := (&desk{}).connect(t, server, mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return answers[req.Params.Message], nil
	}})
	if got, _ := call(t, session, "book", map[string]any{"city": "Oslo"}, nil, ""); got != `Oslo 7 "" nothing ""` {
		t.Errorf("got %s", got)
	}
	answers["Which room?"] = &mcp.ElicitResult{Action: "cancel"}
	if got, _ := call(t, session, "book", map[string]any{"city": "Oslo"}, nil, ""); got != `error: The person dismissed the question "Which room?"` {
		t.Errorf("dismissed: got %s", got)
	}
	if runs != 1 {
		t.Errorf("the handler ran %d times, want once", runs)
	}
}

// TestResolveUndeclared is told to a client that has no forms.
func TestResolveUndeclared(t *testing.T) {
	runs := 0
	server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, resolving(&runs))
	session := legs(t, serve(t, server), &mcp.ClientCapabilities{})
	if got, _ := call(t, session, "book", map[string]any{"city": "Oslo"}, nil, ""); !strings.HasPrefix(got, "-32021 This needs a client that declares the elicitation capability") {
		t.Errorf("got %s, want -32021", got)
	}
}

// TestResolveMixed has a handler ask in a second way.
func TestResolveMixed(t *testing.T) {
	for name, res := range map[string]*mcp.CallToolResult{"questions": {InputRequests: asksFor(1)}, "a state": {RequestState: "x"}} {
		t.Run(name, func(t *testing.T) {
			server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, func(s *mcp.Server) {
				mcp.AddTool(s, &mcp.Tool{Name: "book"}, gosdk.Resolve(func(context.Context, *mcp.CallToolRequest, booking) (*mcp.CallToolResult, any, error) {
					return res, nil, nil
				}))
			})
			session, args := legs(t, serve(t, server), everything()), map[string]any{"city": "Oslo"}
			_, state := call(t, session, "book", args, nil, "")
			answers := mcp.InputResponseMap{"Room": accept(map[string]any{"floor": 7}), "Note": &mcp.ElicitResult{Action: "cancel"}}
			if got, _ := call(t, session, "book", args, answers, state); !strings.Contains(got, "asks in two ways at once") {
				t.Errorf("got %s, want what is wrong", got)
			}
		})
	}
}

func resolve[In any]() {
	gosdk.Resolve(func(context.Context, *mcp.CallToolRequest, In) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
}

// TestResolveRefused is what the author of a server hears when it starts.
func TestResolveRefused(t *testing.T) {
	type inner struct {
		Room room `json:"-" ask:"Which room?"`
	}
	tests := map[string]struct {
		register func()
		want     string
	}{
		"nothing to ask": {resolve[room], "no struct with a field that has the tag ask"},
		"no struct":      {resolve[map[string]any], "no struct with a field that has the tag ask"},
		"an argument, too": {resolve[struct {
			Room room `json:"room" ask:"Which room?"`
		}], `the model could set what the person is asked for: add the tag json:"-"`},
		"an argument by its name": {resolve[struct {
			Room room `ask:"Which room?"`
		}], `add the tag json:"-"`},
		"without a question": {resolve[struct {
			Room room `json:"-" ask:""`
		}], "write the question into it"},
		"a text": {resolve[struct {
			Name string `json:"-" ask:"Who?"`
		}], "string is no struct, of which a form could be made"},
		"a time": {resolve[struct {
			At time.Time `json:"-" ask:"When?"`
		}], "At of struct"},
		"a struct in a struct": {resolve[struct {
			Inner struct {
				Room room `json:"room"`
			} `json:"-" ask:"Which room?"`
		}], "room"},
		"a map": {resolve[struct {
			M struct {
				Many map[string]string `json:"many"`
			} `json:"-" ask:"Which?"`
		}], "many"},
		"embedded": {resolve[struct{ inner }], "move it to the arguments themselves"},
		"not exported": {resolve[struct {
			room room `json:"-" ask:"Which room?"`
		}], "begin its name with a capital letter"},
		"both ways": {func() {
			gosdk.AskingFor(func(context.Context, *gosdk.Ask, *mcp.CallToolRequest, booking) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
		}, "use Resolve, or ask for them with Ask"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "gosdk: ") || !strings.Contains(got, tt.want) {
					t.Errorf("got %s, want %s", got, tt.want)
				} else if testing.Verbose() {
					t.Log(got)
				}
			}()
			tt.register()
		})
	}
}
