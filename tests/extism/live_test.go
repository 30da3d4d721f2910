package extism_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// person answers every kind of question of a server.
type person struct {
	*network
	t     *testing.T
	asked []string
	news  []string // the types of what it was told, and methods
}

func (p *person) answer(callback string, text []byte) []byte {
	m := members(p.t, text)
	news, _ := m["news"].([]any)
	for _, one := range news {
		one := one.(map[string]any)
		method, _ := one["method"].(string)
		version, _ := one["version"].(string)
		p.news = append(p.news, strings.TrimSpace(one["type"].(string)+" "+method+version))
	}
	switch callback {
	case "post":
		return p.post(m)
	case "receive":
		return p.receive(m)
	}
	p.asked = append(p.asked, callback)
	reply := func(raw string) []byte { return object("now", time.Now().UnixMilli(), "type", "answer", "raw", raw) }
	switch {
	case callback == "sample":
		return reply(`{"role":"assistant","content":{"type":"text","text":"Museums."},"model":"m-1"}`)
	case callback == "list_roots":
		return reply(`{"roots":[{"uri":"file:///home/zoe/trips","name":"trips"}]}`)
	case m["mode"] == "url":
		response, err := http.Post(members(p.t, []byte(m["params"].(string)))["url"].(string), "application/x-www-form-urlencoded", nil)
		if err != nil {
			p.t.Fatal(err)
		}
		response.Body.Close()
		return reply(`{"action":"accept"}`)
	}
	var params struct {
		RequestedSchema struct {
			Properties map[string]struct {
				Type, Format string
				Enum         []string
				OneOf        []struct{ Const string }
			}
			Required []string
		}
	}
	if err := json.Unmarshal([]byte(m["params"].(string)), &params); err != nil {
		p.t.Fatal(err)
	}
	content := map[string]any{}
	for _, name := range params.RequestedSchema.Required {
		switch field := params.RequestedSchema.Properties[name]; {
		case field.Type == "boolean":
			content[name] = true
		case field.Type == "integer" || field.Type == "number":
			content[name] = 7
		case len(field.Enum) > 0:
			content[name] = field.Enum[0]
		case len(field.OneOf) > 0:
			content[name] = field.OneOf[0].Const
		case field.Format == "date":
			content[name] = "2026-12-24"
		default:
			content[name] = "zoe"
		}
	}
	raw, _ := json.Marshal(map[string]any{"action": "accept", "content": content})
	return object("now", time.Now().UnixMilli(), "type", "answer", "raw", string(raw), "fill", true)
}

// TestServer makes calls of every kind to the example server, which is on the
// official Go SDK.
func TestServer(t *testing.T) {
	server := httptest.NewServer(stories.Handler(stories.Options{JSON: true, Step: 20 * time.Millisecond}))
	defer server.Close()
	tests := map[string]struct {
		method, params string
		want           string // in the result
		asked          string
	}{
		"form":     {"tools/call", `{"name":"get_weather","arguments":{"location":"Oslo"}}`, "Oslo", "elicit"},
		"three":    {"tools/call", `{"name":"plan_trip","arguments":{"destination":"Rome"}}`, "Museums.", "list_roots sample elicit"},
		"two":      {"tools/call", `{"name":"book_room","arguments":{"team":"blue"}}`, "blue", "elicit elicit"},
		"sampling": {"tools/call", `{"name":"summarise","arguments":{"text":"long"}}`, "Museums.", "sample"},
		"roots":    {"tools/call", `{"name":"list_files","arguments":{}}`, "trips", "list_roots"},
		"waits":    {"tools/call", `{"name":"busy_report","arguments":{}}`, "3 wait", ""},
		"url":      {"tools/call", `{"name":"connect_account","arguments":{}}`, "onnected", "elicit"},
		"prompt":   {"prompts/get", `{"name":"code_review","arguments":{"code":"x"}}`, `"messages"`, "elicit"},
		"resource": {"resources/read", `{"uri":"parley://report/quarterly"}`, `"contents"`, "elicit"},
		"task":     {"tools/call", `{"name":"provision","arguments":{"name":"web"}}`, "web", "elicit elicit"},
	}
	const capabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	each(t, nil, func(t *testing.T, h host) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				begin(t, h)
				p := &person{t: t, network: newNetwork(t, server.URL+"/mcp")}
				outcome := h.call(t, "call", object("now", time.Now().UnixMilli(), "method", tt.method, "params", tt.params,
					"options", map[string]any{"capabilities": capabilities}), p.answer)
				m := members(t, outcome)
				if result, _ := m["result"].(string); m["type"] != "done" || !strings.Contains(result, tt.want) {
					t.Errorf("got %s, want %s in the result", outcome, tt.want)
				}
				if got := strings.Join(p.asked, " "); got != tt.asked {
					t.Errorf("it asked %s, want %s", got, tt.asked)
				}
				if name == "task" && !slices.Contains(p.news, "task") {
					t.Error("nobody was told how the task stands")
				}
			})
		}
	})
}
