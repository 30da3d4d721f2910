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

// typed asks for a T.
func typed[T any]() script {
	return func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		content, action, err := gosdk.Form[T](ctx, ask, &mcp.ElicitParams{Message: "?"})
		if err != nil {
			return "", err
		}
		got, err := json.Marshal(content)
		return action + " " + string(got), err
	}
}

// TestFormOfType asks the SDK's own client, which refuses what MCP has no form
// for, with forms made of types.
func TestFormOfType(t *testing.T) {
	type color struct {
		Name string `json:"name"`
	}
	const many = `"minimum":-9223372036854775808,"maximum":9223372036854775807`
	tests := map[string]struct {
		ask     script
		fields  string // of the form that is asked
		content map[string]any
		want    string
	}{
		"int8": {typed[struct {
			N int8 `json:"n" jsonschema:"how many"`
		}](), `{"n":{"type":"integer","description":"how many","minimum":-128,"maximum":127}}`, map[string]any{"n": 127}, `accept {"n":127}`},
		"uint16": {typed[struct {
			N uint16 `json:"n"`
		}](), `{"n":{"type":"integer","minimum":0,"maximum":65535}}`, map[string]any{"n": 3}, `accept {"n":3}`},
		"int64": {typed[struct {
			N int64 `json:"n"`
		}](), `{"n":{"type":"integer",` + many + `}}`, map[string]any{"n": int64(9223372036854775807)}, `accept {"n":9223372036854775807}`},
		"uint64": {typed[struct {
			N uint64 `json:"n"`
		}](), `{"n":{"type":"integer","minimum":0,"maximum":18446744073709551615}}`, map[string]any{"n": uint64(18446744073709551615)}, `accept {"n":18446744073709551615}`},
		"pointer": {typed[struct {
			N *int   `json:"n"`
			S string `json:"s"`
		}](), `{"n":{"type":"integer",` + many + `},"s":{"type":"string"}}`, map[string]any{"s": "x"}, `accept {"n":null,"s":"x"}`},
		"pointer, filled in": {typed[struct {
			N *int `json:"n"`
		}](), `{"n":{"type":"integer",` + many + `}}`, map[string]any{"n": 4}, `accept {"n":4}`},
		"time": {typed[struct {
			At *time.Time `json:"at"`
		}](), `{"at":{"type":"string","format":"date-time"}}`, map[string]any{"at": "2026-07-28T12:00:00Z"}, `accept {"at":"2026-07-28T12:00:00Z"}`},
		"order": {typed[struct {
			Z string  `json:"z"`
			A *string `json:"a,omitempty"`
			M bool    `json:"m"`
		}](), `{"z":{"type":"string"},"a":{"type":"string"},"m":{"type":"boolean"}}`, map[string]any{"z": "z", "m": true}, `accept {"z":"z","m":true}`},
		"nothing":       {typed[struct{}](), `{}`, map[string]any{}, `accept {}`},
		"list":          {typed[struct{ Tags []string }](), "", nil, `the field "Tags" of a form: only choices`},
		"struct inside": {typed[struct{ Color color }](), "", nil, `no such "type" for the field "Color" of a form`},
		"anything":      {typed[struct{ Any any }](), "", nil, `no such "type" for the field "Any" of a form`},
		"map":           {typed[struct{ Map map[string]string }](), "", nil, `no such "type" for the field "Map" of a form`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			asked := "nothing"
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					text, err := json.Marshal(req.Params.RequestedSchema)
					asked = string(text)
					return &mcp.ElicitResult{Action: "accept", Content: tt.content}, err
				},
			})
			here, there := mcp.NewInMemoryTransports()
			server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking(tt.ask))
			if _, err := server.Connect(t.Context(), gosdk.ExactTransport(here), nil); err != nil {
				t.Fatal(err)
			}
			session, err := client.Connect(t.Context(), there, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
			if err != nil {
				t.Fatal(err)
			}
			got := res.Content[0].(*mcp.TextContent).Text
			if tt.fields == "" {
				if !strings.Contains(got, tt.want) || asked != "nothing" {
					t.Errorf("got %s, and asked with %s, want %s, and nobody asked", got, asked, tt.want)
				}
				return
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			// The SDK decodes the form it shows, whose numbers are then rounded and whose fields sorted.
			if want := fmt.Sprintf(`{"type":"object","properties":%s}`, tt.fields); !sameValue(t, asked, want) {
				t.Errorf("asked with %s, want the fields %s", asked, tt.fields)
			}
		})
	}
}

// TestFormOfTypeOnTheWire looks at what the client of the SDK has decoded.
func TestFormOfTypeOnTheWire(t *testing.T) {
	server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking(typed[struct {
		Z *int64  `json:"z"`
		A uint64  `json:"a"`
		M float64 `json:"m,omitempty"`
	}]()))
	got := post(t, serve(t, server), "tools/call", "ask", `"name":"ask","arguments":{}`)
	want := `"requestedSchema":{"properties":{"z":{"maximum":9223372036854775807,"minimum":-9223372036854775808,"type":"integer"},` +
		`"a":{"maximum":18446744073709551615,"minimum":0,"type":"integer"},"m":{"type":"number"}},"required":["a"],"type":"object"}`
	if !strings.Contains(got, want) {
		t.Errorf("got  %s\nwant %s in it", got, want)
	}
}

// sameValue compares forms without what is required, as JSON that was decoded.
func sameValue(t *testing.T, a, b string) bool {
	t.Helper()
	read := func(text string) string {
		var value map[string]any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		delete(value, "required")
		written, _ := json.Marshal(value)
		return string(written)
	}
	return read(a) == read(b)
}

// TestFormOf makes forms of types before anybody is asked, and asks with one.
func TestFormOf(t *testing.T) {
	if _, err := gosdk.FormOf[struct{ Tags []string }](); err == nil || !strings.Contains(err.Error(), `no such "items" for the field "Tags"`) {
		t.Errorf("a list: got %v, want an error that names items and Tags", err)
	}
	type pointed struct {
		N *int8 `json:"n"`
	}
	schema, err := gosdk.FormOf[pointed]()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		res, err := ask.Elicit(ctx, &mcp.ElicitParams{Message: "?", RequestedSchema: schema})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(res.Content), nil
	}
	left := mcp.InputResponseMap{"elicitation-1": accept(map[string]any{})}
	play(t, gosdk.Options{}, []round{{ask, nil, "? elicitation-1"}, {ask, left, "map[n:<nil>]"}})
	play(t, gosdk.Options{}, []round{{typed[pointed](), nil, "? elicitation-1"}, {ask, left, "map[n:<nil>]"}}) // the same question
}
