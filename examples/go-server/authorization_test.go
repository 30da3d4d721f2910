package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const anyItem = `{"id":4711,"state":"Resolved"}`

// tokens are good for their scopes.
var tokens = map[string]*auth.TokenInfo{
	"reader": {UserID: "alice", Scopes: []string{"items"}},
	"writer": {UserID: "alice", Scopes: []string{"items", "items:write"}},
	"nobody": {},
}

// protected is a server that tells who called what.
func protected(t *testing.T, o *mcp.StreamableHTTPOptions) (a *authorization, url string) {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	for _, name := range []string{"get_weather", "update_work_item"} {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			who := "nobody"
			if req.Extra.TokenInfo != nil {
				who = req.Extra.TokenInfo.UserID
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name + " by " + who}}}, nil
		})
	}
	a = &authorization{Issuer: "https://issuer.example", Scopes: scopes, Verify: func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		switch info, ok := tokens[token]; {
		case token == "away":
			return nil, errors.New("the authorization server cannot be reached")
		case !ok:
			return nil, auth.ErrInvalidToken
		default:
			return info, nil
		}
	}}
	mux := http.NewServeMux()
	mux.Handle("/mcp", a.protect(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, o)))
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	a.Resource = srv.URL + "/mcp"
	mux.Handle(a.metadata())
	return a, a.Resource
}

// call is a request of 2026-07-28 for a tool.
func call(tool, more string) (fields map[string]string, body string) {
	return map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool},
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + anyItem + more + `,"_meta":{` +
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
			`"io.modelcontextprotocol/clientCapabilities":{}}}}`
}

func send(t *testing.T, url, token string, fields map[string]string, body string) (status int, challenge, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range fields {
		req.Header.Set(name, value)
	}
	if token != "" {
		req.Header.Set("Authorization", token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(res.Header.Get("Access-Control-Expose-Headers"), "WWW-Authenticate") {
		t.Error("a page could not read the challenge")
	}
	return res.StatusCode, res.Header.Get("WWW-Authenticate"), string(got)
}

func TestAuthorization(t *testing.T) {
	a, url := protected(t, &mcp.StreamableHTTPOptions{Stateless: true})
	where := `resource_metadata="` + a.metadataURL() + `"`
	const answers = `,"requestState":"s","inputResponses":{"resolution":{"action":"decline"}}`
	tests := map[string]struct {
		tool, more, token string
		status            int
		challenge, text   string
	}{
		"a read is for anybody":            {"get_weather", "", "", 200, "", "get_weather by nobody"},
		"even with a token":                {"get_weather", "", "Bearer writer", 200, "", "get_weather by nobody"},
		"or with one that is over":         {"get_weather", "", "Bearer over", 200, "", "get_weather by nobody"},
		"without a token":                  {"update_work_item", "", "", 401, `Bearer scope="items", ` + where, ""},
		"with another scheme":              {"update_work_item", "", "Basic reader", 401, `Bearer scope="items", ` + where, ""},
		"with one that is not good":        {"update_work_item", "", "Bearer over", 401, `Bearer error="invalid_token", scope="items", ` + where, ""},
		"with one of nobody":               {"update_work_item", "", "Bearer nobody", 503, "", "could not be verified"},
		"while nobody can tell":            {"update_work_item", "", "Bearer away", 503, "", "could not be verified"},
		"with a good one":                  {"update_work_item", "", "bearer reader", 200, "", "update_work_item by alice"},
		"with answers and not enough":      {"update_work_item", answers, "Bearer reader", 403, `Bearer error="insufficient_scope", scope="items items:write", ` + where, ""},
		"with answers and enough":          {"update_work_item", answers, "Bearer writer", 200, "", "update_work_item by alice"},
		"with answers and without a token": {"update_work_item", answers, "", 401, `Bearer scope="items items:write", ` + where, ""},
		"with an empty member for answers": {"update_work_item", `,"inputResponses":{}`, "Bearer reader", 403, `Bearer error="insufficient_scope", scope="items items:write", ` + where, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			fields, body := call(tt.tool, tt.more)
			status, challenge, text := send(t, url, tt.token, fields, body)
			if status != tt.status || challenge != tt.challenge || !strings.Contains(text, tt.text) {
				t.Errorf("got %d, %q, %q, want %d, %q, %q", status, challenge, text, tt.status, tt.challenge, tt.text)
			}
		})
	}
}

// What the handlers could read in another way than the policy must not pass.
func TestSmuggling(t *testing.T) {
	_, url := protected(t, &mcp.StreamableHTTPOptions{Stateless: true})
	earlier := map[string]string{"MCP-Protocol-Version": "2025-11-25"}
	inEarlier := func(body string) string { // a client of that era sends no such meta data
		return regexp.MustCompile(`,"_meta":\{.*?\}\}`).ReplaceAllString(body, "")
	}
	_, body := call("update_work_item", "")
	if _, _, text := send(t, url, "Bearer reader", earlier, inEarlier(body)); !strings.Contains(text, "update_work_item by alice") {
		t.Fatalf("in an earlier era, with a token: got %s", text)
	}
	for name, change := range map[string]func(fields map[string]string, body string) string{
		"another name in the field":   func(f map[string]string, b string) string { f["Mcp-Name"] = "get_weather"; return b },
		"coded":                       func(f map[string]string, b string) string { f["Mcp-Name"] = "=?base64?Z2V0X3dlYXRoZXI=?="; return b },
		"another method in the field": func(f map[string]string, b string) string { f["Mcp-Method"] = "tools/list"; return b },
		"nothing beside": func(f map[string]string, b string) string {
			delete(f, "Mcp-Name")
			delete(f, "Mcp-Method")
			return b
		},
		"a name twice": func(f map[string]string, b string) string {
			f["Mcp-Name"] = "get_weather"
			return strings.Replace(b, `"name":`, `"name":"get_weather","name":`, 1)
		},
		"a name twice, the other first": func(f map[string]string, b string) string {
			f["Mcp-Name"] = "get_weather"
			return strings.Replace(b, `"arguments":`, `"name":"get_weather","arguments":`, 1)
		},
		"a name in capitals": func(f map[string]string, b string) string {
			f["Mcp-Name"] = "get_weather"
			return strings.Replace(b, `"arguments":`, `"NAME":"get_weather","arguments":`, 1)
		},
		"only in capitals": func(f map[string]string, b string) string {
			delete(f, "Mcp-Name")
			return strings.Replace(b, `"name":`, `"Name":`, 1)
		},
		"method in capitals": func(f map[string]string, b string) string {
			delete(f, "Mcp-Method")
			return strings.Replace(b, `"method":`, `"Method":`, 1)
		},
		"params in capitals": func(_ map[string]string, b string) string {
			return strings.Replace(b, `"params":`, `"params":{"name":"get_weather"},"Params":`, 1)
		},
		"a uri beside": func(_ map[string]string, b string) string {
			return strings.Replace(b, `"arguments":`, `"uri":"get_weather","arguments":`, 1)
		},
		"escaped": func(_ map[string]string, b string) string { return strings.Replace(b, `"update_`, `"\u0075pdate_`, 1) },
		"in a batch": func(_ map[string]string, b string) string {
			return `[{"jsonrpc":"2.0","id":2,"method":"ping"},` + b + `]`
		},
		"text after": func(_ map[string]string, b string) string { return `{}` + b },
	} {
		t.Run(name, func(t *testing.T) {
			fields, body := call("update_work_item", "")
			body = change(fields, body)
			for _, in := range []struct {
				fields map[string]string
				body   string
			}{{fields, body}, {earlier, inEarlier(body)}} { // only in the later one the SDK compares fields
				status, _, text := send(t, url, "", in.fields, in.body)
				if strings.Contains(text, "update_work_item by") {
					t.Errorf("got %d: %s", status, text)
				}
				if strings.Contains(name, "in the field") && in.fields["Mcp-Method"] != "" && !strings.Contains(text, "is not what the body says") {
					t.Errorf("got %d: %s", status, text)
				}
			}
		})
	}
}

// Eras with sessions have no fields, and their answers no name.
func TestAuthorizationInSessions(t *testing.T) {
	a, url := protected(t, nil)
	status, _, text := send(t, url, "", nil, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if status != http.StatusOK {
		t.Fatalf("initialize: got %d: %s", status, text)
	}
	body := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"update_work_item","arguments":` + anyItem + `}}`
	if status, challenge, _ := send(t, url, "", nil, body); status != http.StatusUnauthorized || !strings.Contains(challenge, `scope="items"`) {
		t.Errorf("a tool by its body: got %d, %q", status, challenge)
	}
	if got, _ := a.needs(nil, []byte(`[{"jsonrpc":"2.0","id":2,"method":"ping"},`+body+`]`)); len(got) != 1 || got[0] != "items" {
		t.Errorf("a batch: got %q", got)
	}
	var seen request
	a.Scopes = func(r request) []string { seen = r; return []string{"items"} }
	if status, _, _ := send(t, url, "", nil, `{"jsonrpc":"2.0","id":7,"result":{"action":"accept"}}`); status != http.StatusUnauthorized || !seen.Answers || seen.Method != "" {
		t.Errorf("an answer: got %d, %+v", status, seen)
	}
}

func TestMetadata(t *testing.T) {
	a, _ := protected(t, nil)
	res, err := http.Get(a.metadataURL())
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var got struct {
		Resource string
		Servers  []string `json:"authorization_servers"`
	}
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || got.Resource != a.Resource || len(got.Servers) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestIntrospection(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id, secret, _ := r.BasicAuth(); id != "name" || secret != "a%3Ab" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, map[string]string{
			"good":  `{"active":true,"sub":"alice","scope":"items x","aud":"https://here/mcp","exp":4102444800}`,
			"both":  `{"active":true,"sub":"alice","aud":["https://there/mcp","https://here/mcp"]}`,
			"other": `{"active":true,"sub":"alice","aud":"https://there/mcp"}`,
			"none":  `{"active":true,"sub":"alice"}`,
			"over":  `{"active":false}`,
		}[r.PostFormValue("token")])
	}))
	t.Cleanup(srv.Close)
	i := &introspection{URL: srv.URL, ClientID: "name", ClientSecret: "a:b", Resource: "https://here/mcp"}
	for token, want := range map[string]error{"good": nil, "both": nil, "other": auth.ErrInvalidToken, "none": auth.ErrInvalidToken, "over": auth.ErrInvalidToken} {
		info, err := i.verify(t.Context(), token, nil)
		if err != want || err == nil && info.UserID != "alice" {
			t.Errorf("%s: got %+v, %v, want %v", token, info, err, want)
		}
	}
	i.ClientSecret = "wrong"
	if _, err := i.verify(t.Context(), "good", nil); err == nil || errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("with a wrong secret: got %v, want another error than the token's", err)
	}
}
