package envelope

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRequestCarriesMeta reads the request with encoding/json, as a server
// would. Source: MCP 2026-07-28, basic/index, Per-request protocol fields.
func TestRequestCarriesMeta(t *testing.T) {
	text, bad := Append(nil, &Request{
		ID: 7, Method: "tools/call", Capabilities: []byte(`{"elicitation":{}}`), ClientInfo: []byte(`{"name":"c","version":"1"}`),
		Params: []byte(`{"name":"t","_meta":{"progressToken":"p","io.modelcontextprotocol/clientCapabilities":{"stolen":{}}},"arguments":{"x":1.0}}`),
	})
	if bad != nil {
		t.Fatal(bad)
	}
	var got struct {
		JSONRPC string
		ID      int
		Method  string
		Params  struct {
			Name      string
			Arguments json.RawMessage
			Meta      map[string]json.RawMessage `json:"_meta"`
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if got.JSONRPC != "2.0" || got.ID != 7 || got.Method != "tools/call" || got.Params.Name != "t" || string(got.Params.Arguments) != `{"x":1.0}` {
		t.Errorf("got %s", text)
	}
	for name, want := range map[string]string{
		"progressToken": `"p"`,
		"io.modelcontextprotocol/protocolVersion":    `"2026-07-28"`,
		"io.modelcontextprotocol/clientInfo":         `{"name":"c","version":"1"}`,
		"io.modelcontextprotocol/clientCapabilities": `{"elicitation":{}}`,
	} {
		if string(got.Params.Meta[name]) != want {
			t.Errorf("_meta[%q]: got %s, want %s", name, got.Params.Meta[name], want)
		}
	}
	if n := strings.Count(string(text), "clientCapabilities"); n != 1 {
		t.Errorf("clientCapabilities appears %d times", n)
	}
}

func TestRequestRefuses(t *testing.T) {
	for name, r := range map[string]Request{
		"params an array":      {Params: []byte(`[]`)},
		"params broken":        {Params: []byte(`{"a":`)},
		"_meta a string":       {Params: []byte(`{"_meta":"x"}`)},
		"capabilities null":    {Capabilities: []byte(`null`)},
		"clientInfo two texts": {ClientInfo: []byte(`{}{}`)},
	} {
		bad := r.Check()
		if bad == nil {
			_, bad = Append(nil, &r)
		}
		if bad == nil {
			t.Errorf("%s: it is accepted", name)
		}
	}
}

// TestHeaders follows MCP 2026-07-28, basic/transports/streamable-http.
func TestHeaders(t *testing.T) {
	tests := map[string]struct {
		method, params string
		want           string
	}{
		"tool":              {"tools/call", `{"name":"get_weather"}`, "get_weather"},
		"prompt":            {"prompts/get", `{"name":"code review"}`, "code review"},
		"resource":          {"resources/read", `{"uri":"file:///a"}`, "file:///a"},
		"non-ASCII":         {"tools/call", `{"name":"größe"}`, "=?base64?Z3LDtsOfZQ==?="},
		"edge space":        {"tools/call", `{"name":" a"}`, "=?base64?IGE=?="},
		"control character": {"tools/call", `{"name":"a\nb"}`, "=?base64?YQpi?="},
		"looks encoded":     {"tools/call", `{"name":"=?base64?YQ==?="}`, "=?base64?PT9iYXNlNjQ/WVE9PT89?="},
		"empty":             {"tools/call", `{"name":""}`, ""},
		"escaped member":    {"tools/call", `{"n\u0061me":"x"}`, "x"},
		"no name":           {"tools/list", `{"name":"x"}`, "none"},
		"name not a string": {"tools/call", `{"name":1}`, "none"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := "none"
			for _, h := range Headers(&Request{Method: tt.method, Params: []byte(tt.params)}) {
				switch h.Name {
				case "Mcp-Name":
					got = h.Value
				case "Mcp-Method":
					if h.Value != tt.method {
						t.Errorf("Mcp-Method: got %q", h.Value)
					}
				case "MCP-Protocol-Version":
					if h.Value != "2026-07-28" {
						t.Errorf("MCP-Protocol-Version: got %q", h.Value)
					}
				default:
					t.Errorf("unexpected header %s", h.Name)
				}
			}
			if got != tt.want {
				t.Errorf("Mcp-Name: got %q, want %q", got, tt.want)
			}
		})
	}
}
