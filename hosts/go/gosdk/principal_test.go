package gosdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

func withToken(info *auth.TokenInfo) mcp.Request {
	return &mcp.CallToolRequest{Extra: &mcp.RequestExtra{TokenInfo: info}}
}

func TestTokenPrincipalWithoutToken(t *testing.T) {
	for name, req := range map[string]mcp.Request{"no HTTP": &mcp.CallToolRequest{}, "no token": withToken(nil)} {
		if got, err := gosdk.TokenPrincipal(t.Context(), req); got != nil || err != nil {
			t.Errorf("%s: got %v, %v, want nobody in particular", name, got, err)
		}
	}
}

// verified is a line of codec/testdata/principals: what a verifier says of a token.
type verified struct {
	Client  any `json:"client"`
	Issuer  any `json:"issuer"`
	Subject any `json:"subject"`
}

func (v verified) info() *auth.TokenInfo {
	subject, _ := v.Subject.(string)
	return &auth.TokenInfo{UserID: subject, Extra: map[string]any{"client_id": v.Client, "iss": v.Issuer}, Expiration: time.Now().Add(time.Hour)}
}

// principalGuard is the Guard of codec/testdata/principals.
func principalGuard(t *testing.T) *codec.Guard {
	keys, err := codec.ParseKeyRing([]byte("parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"))
	if err != nil {
		t.Fatal(err)
	}
	aead, err := codec.NewAEAD(keys, codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return newGuard(t, newClock(), codec.GuardOptions{Codec: aead, Audience: "principals", Env: codec.Env{Rand: sevens{}}})
}

// TestTokenVectors replays codec/testdata/principals, as hosts/js and hosts/python
// do, and opens each of its states as each of its tokens.
func TestTokenVectors(t *testing.T) {
	const file = "../../../codec/testdata/principals/tokens.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	principals, states := []string{}, []string{}
	guard := principalGuard(t)
	for i, line := range lines {
		said, isToken := strings.CutPrefix(line, "token ")
		if !isToken {
			continue
		}
		var v verified
		if err := json.Unmarshal([]byte(said), &v); err != nil {
			t.Fatal(err)
		}
		answer := tokenAnswer(t, guard, v)
		if *update {
			lines[i+2] = answer
		} else if lines[i+2] != answer {
			t.Errorf("%s: got %s, want %s", said, answer, lines[i+2])
		}
		var of struct{ Principal, State string }
		if err := json.Unmarshal([]byte(answer), &of); err != nil {
			t.Fatal(err)
		}
		if of.State != "" {
			principals, states = append(principals, of.Principal), append(states, of.State)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(states) < 15 {
		t.Errorf("%d tokens have a state, want 15 or more", len(states))
	}
	for i, state := range states {
		for j, who := range principals {
			_, _, err := guard.Inbound("tools/call", fmt.Appendf(nil, `{"name":"ask","requestState":%q}`, state), &who)
			if alike := principals[i] == who; alike && err != nil || !alike && !errors.Is(err, refusal.Principal) {
				t.Errorf("the state of %s as %s: got %v", principals[i], principals[j], err)
			}
		}
	}
}

// tokenAnswer is the line that follows a token.
func tokenAnswer(t *testing.T, guard *codec.Guard, v verified) string {
	subject, _ := v.Subject.(string)
	who, err := gosdk.TokenPrincipal(t.Context(), withToken(v.info()))
	if err != nil {
		return `{"refused":true}`
	}
	_, x, err := guard.Inbound("tools/call", []byte(`{"name":"ask"}`), who)
	if err != nil {
		t.Fatal(err)
	}
	result, err := guard.Outbound(x, []byte(`{"resultType":"input_required","requestState":"asked"}`))
	if err != nil {
		t.Fatal(err)
	}
	var sealed struct{ RequestState string }
	if err := json.Unmarshal(result, &sealed); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(struct {
		Principal string `json:"principal"`
		Warns     bool   `json:"warns,omitempty"`
		State     string `json:"state"`
	}{*who, subject == "", sealed.RequestState}); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text.String())
}

// TestStatesOfOthers has a server of the SDK with bearer tokens of two clients and
// two issuers for one subject: a state opens for the token's own three only, also
// after a refresh, and for every other the answer is the same, byte for byte.
func TestStatesOfOthers(t *testing.T) {
	tokens := map[string]verified{
		"app-a": {"app", "https://a.example", "ann"}, "other-a": {"other", "https://a.example", "ann"},
		"app-b": {"app", "https://b.example", "ann"}, "other-b": {"other", "https://b.example", "ann"},
	}
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		v, known := tokens[strings.TrimSuffix(token, ".refreshed")]
		if !known {
			return nil, auth.ErrInvalidToken
		}
		return v.info(), nil
	}
	server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{})
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.RequestState != "" {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: req.Params.RequestState}}}, nil
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}, RequestState: "asked"}, nil
	})
	h := httptest.NewServer(auth.RequireBearerToken(verify, nil)(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})))
	defer h.Close()
	call := func(token, state string) string {
		t.Helper()
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{},` + state +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		req, err := http.NewRequest("POST", h.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token,
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "ask",
		} {
			req.Header.Set(name, value)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(res.StatusCode, " ", string(text))
	}
	again := func(state string) string { return fmt.Sprintf(`"requestState":%q,`, state) }
	frozen := call("app-a", again("made up"))
	if !strings.Contains(frozen, `"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}`) {
		t.Fatalf("a state that is made up: %s", frozen)
	}
	for mine := range tokens {
		_, body, _ := strings.Cut(call(mine, ""), " ")
		var asked struct{ Result struct{ RequestState string } }
		if err := json.Unmarshal([]byte(body), &asked); err != nil || asked.Result.RequestState == "" {
			t.Fatalf("%s: %v, %s", mine, err, body)
		}
		for whose := range tokens {
			got := call(whose, again(asked.Result.RequestState))
			if whose != mine && got != frozen {
				t.Errorf("%s with the state of %s: got %s, want %s", whose, mine, got, frozen)
			}
		}
		if got := call(mine+".refreshed", again(asked.Result.RequestState)); !strings.Contains(got, `"text":"asked"`) {
			t.Errorf("%s with its own state: %s", mine, got)
		}
	}
}

// TestNoSubjectIsSaidOnce has another process, in which nothing was said before,
// ask for a principal without a subject several times.
func TestNoSubjectIsSaidOnce(t *testing.T) {
	if os.Getenv("GOSDK_NO_SUBJECT") != "" {
		slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
		for range 3 {
			got, err := gosdk.TokenPrincipal(t.Context(), withToken(verified{Client: "app", Issuer: "https://a.example"}.info()))
			if err != nil || *got != `["app","https://a.example",null]` {
				t.Errorf("got %v, %v", got, err)
			}
		}
		return
	}
	process := exec.Command(os.Args[0], "-test.run=^TestNoSubjectIsSaidOnce$")
	process.Env = append(os.Environ(), "GOSDK_NO_SUBJECT=1")
	out, err := process.CombinedOutput()
	if err != nil || strings.Count(string(out), "level=WARN") != 1 || !strings.Contains(string(out), "sets no UserID") || strings.Contains(string(out), "https://a") {
		t.Errorf("%v: want one warning: %s", err, out)
	}
}
