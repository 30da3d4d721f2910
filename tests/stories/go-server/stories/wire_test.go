package stories_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// TestWire pins the bytes of a round, which are the SDK's: content, contents
// and messages are null, and a round without questions has an empty map of them.
func TestWire(t *testing.T) {
	const server = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"parley-go-server","title":"Parley example server","version":"0.1.0"}}`
	tests := map[string]struct {
		request request
		want    string
	}{
		"form": {tool("get_weather", `{"location":"Oslo"}`),
			`"content":null,"requestState":"…","resultType":"input_required","inputRequests":{"units":{"method":"elicitation/create","params":{` +
				`"mode":"form","message":"Which units should the weather in Oslo be in?","requestedSchema":{"type":"object","properties":{` +
				`"units":{"type":"string","title":"Units","oneOf":[{"const":"metric","title":"Metric (°C, km/h)"},{"const":"imperial","title":"Imperial (°F, mph)"}],"default":"metric"}` +
				`},"required":["units"]}}}}`},
		"sampling": {tool("summarise", `{"text":"A long text."}`),
			`"content":null,"requestState":"…","resultType":"input_required","inputRequests":{"summary":{"method":"sampling/createMessage","params":{` +
				`"maxTokens":200,"messages":[{"content":{"type":"text","text":"Summarise this text:\n\nA long text."},"role":"user"}],` +
				`"systemPrompt":"You summarise texts in one sentence."}}}`},
		"roots, no state": {tool("list_files", `{}`),
			`"content":null,"resultType":"input_required","inputRequests":{"roots":{"method":"roots/list","params":{}}}`},
		"state only": {tool("busy_report", `{}`),
			`"content":null,"requestState":"…","resultType":"input_required","inputRequests":{}`},
		"prompt": {prompt("code_review", `{}`),
			`"messages":null,"requestState":"…","resultType":"input_required","inputRequests":{"review":`},
		"resource": {resource("parley://report/quarterly"),
			`"ttlMs":0,"cacheScope":"private","contents":null,"requestState":"…","resultType":"input_required","inputRequests":{"quarter":`},
		"complete": {tool("update_work_item", `{"id":7,"state":"Active"}`),
			`"content":[{"type":"text","text":"Work item 7 is now Active."}],"resultType":"complete"}}`},
	}
	state := regexp.MustCompile(`"requestState":"[\w-]{100,}"`)
	for _, asJSON := range []bool{false, true} {
		media := map[bool]string{false: "text/event-stream", true: "application/json"}[asJSON]
		c := newClient(t, stories.Options{JSON: asJSON})
		for name, tt := range tests {
			t.Run(media+" "+name, func(t *testing.T) {
				res := c.post(tt.request, "", "")
				if res.status != http.StatusOK || res.media != media {
					t.Errorf("got %d %s, want 200 %s", res.status, res.media, media)
				}
				got := state.ReplaceAllString(res.body, `"requestState":"…"`)
				want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{%s,%s`, c.id, server, tt.want)
				if !strings.HasPrefix(got, want) {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

func TestAskedAgainSaysSo(t *testing.T) {
	c := newClient(t, stories.Options{})
	weather := tool("get_weather", `{"location":"Oslo"}`)
	res := c.post(weather, `{}`, c.post(weather, "", "").echo())
	want := "That answer could not be used. Which units should the weather in Oslo be in?"
	if !strings.Contains(res.body, `"message":"`+want+`"`) {
		t.Errorf("got %s, want the message %q", res.body, want)
	}
}

func TestUndeclaredCapability(t *testing.T) {
	tests := map[string]struct {
		capabilities string
		request      request
		want         string
	}{
		"nothing":        {`{}`, tool("get_weather", `{"location":"Oslo"}`), `{"requiredCapabilities":{"elicitation":{"form":{}}}}`},
		"only URL forms": {`{"elicitation":{"url":{}}}`, tool("get_weather", `{"location":"Oslo"}`), `{"requiredCapabilities":{"elicitation":{"form":{}}}}`},
		"no mode":        {`{"elicitation":{}}`, tool("get_weather", `{"location":"Oslo"}`), ""},
		"no sampling":    {`{"elicitation":{},"roots":{}}`, tool("plan_trip", `{"destination":"Rome"}`), `{"requiredCapabilities":{"sampling":{}}}`},
		"no roots":       {`{"elicitation":{},"sampling":{}}`, tool("list_files", `{}`), `{"requiredCapabilities":{"roots":{}}}`},
		"nothing to ask": {`{}`, tool("update_work_item", `{"id":7,"state":"Active"}`), ""},
		"state only":     {`{}`, tool("busy_report", `{}`), ""},
		"prompt":         {`{}`, prompt("code_review", `{}`), `{"requiredCapabilities":{"elicitation":{"form":{}}}}`},
		"resource":       {`{}`, resource("parley://report/quarterly"), `{"requiredCapabilities":{"elicitation":{"form":{}}}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, stories.Options{})
			c.capabilities = tt.capabilities
			res := c.post(tt.request, "", "")
			switch {
			case tt.want == "":
				if res.Error != nil {
					t.Errorf("got %s, want a result", res.end())
				}
			case res.Error == nil:
				t.Errorf("got %s, want an error", res.end())
			case res.Error.Code != -32021 || string(res.Error.Data) != tt.want || res.status != http.StatusBadRequest:
				t.Errorf("got %d %d %s, want 400 -32021 %s", res.status, res.Error.Code, res.Error.Data, tt.want)
			}
		})
	}
}

// TestForms holds every form the server asks against the part of JSON Schema
// that elicitation allows.
func TestForms(t *testing.T) {
	allowed := map[string][]string{
		"string":  {"type", "title", "description", "minLength", "maxLength", "format", "default", "enum", "oneOf"},
		"integer": {"type", "title", "description", "minimum", "maximum", "default"},
		"boolean": {"type", "title", "description", "default"},
		"array":   {"type", "title", "description", "items", "minItems", "maxItems", "default"},
	}
	resolve := tool("update_work_item", `{"id":7,"state":"Resolved"}`)
	c := newClient(t, stories.Options{})
	rounds := map[string]response{
		"units":       c.post(tool("get_weather", `{"location":"Oslo"}`), "", ""),
		"resolution":  c.post(resolve, "", ""),
		"duplicate":   c.post(resolve, accept("resolution", `{"resolution":"Duplicate"}`), c.post(resolve, "", "").echo()),
		"confirm":     c.post(tool("provision_vm", `{"size":"small"}`), "", ""),
		"preferences": c.post(tool("plan_trip", `{"destination":"Rome"}`), "", ""),
		"review":      c.post(prompt("code_review", `{}`), "", ""),
		"quarter":     c.post(resource("parley://report/quarterly"), "", ""),
	}
	for key, res := range rounds {
		var q struct {
			Params struct {
				RequestedSchema struct {
					Type       string
					Properties map[string]map[string]any
					Required   []string
				}
			}
		}
		if err := json.Unmarshal(res.Result.InputRequests[key], &q); err != nil {
			t.Errorf("%s: %v\n%s", key, err, res.body)
			continue
		}
		s := q.Params.RequestedSchema
		if s.Type != "object" || len(s.Properties) == 0 || len(s.Required) == 0 {
			t.Errorf("%s: no form: %s", key, res.Result.InputRequests[key])
		}
		for name, p := range s.Properties {
			kind, _ := p["type"].(string)
			for keyword := range p {
				if !slices.Contains(allowed[kind], keyword) {
					t.Errorf("%s.%s: %q is not allowed for type %q", key, name, keyword, kind)
				}
			}
		}
	}
}

func TestOrigins(t *testing.T) {
	const page = "http://localhost:5173"
	srv := httptest.NewServer(stories.Handler(stories.Options{Origins: []string{page}}))
	defer srv.Close()
	tests := map[string]struct {
		method, origin string
		want           int
		allow          string
	}{
		"program":         {"POST", "", http.StatusUnsupportedMediaType, ""}, // reached the SDK
		"page":            {"POST", page, http.StatusUnsupportedMediaType, page},
		"other page":      {"POST", "https://evil.example", http.StatusForbidden, ""},
		"preflight":       {"OPTIONS", page, http.StatusNoContent, page},
		"other preflight": {"OPTIONS", "https://evil.example", http.StatusMethodNotAllowed, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), tt.method, srv.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.origin != "" {
				req.Header.Set("Origin", tt.origin)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if got := res.Header.Get("Access-Control-Allow-Origin"); res.StatusCode != tt.want || got != tt.allow {
				t.Errorf("got %d %q, want %d %q", res.StatusCode, got, tt.want, tt.allow)
			}
		})
	}
}
