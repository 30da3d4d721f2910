package gosdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

var update = flag.Bool("update", false, "write the answers of codec/testdata/asking again")

// sevens is a source of randomness that repeats itself.
type sevens struct{}

func (sevens) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 7
	}
	return len(p), nil
}

// askingHandlers are the handlers of codec/testdata/asking, by name. Its README says what each does.
var askingHandlers = map[string]script{
	"names":   names("Your name?", "Your friend's?"),
	"renamed": names("Your full name?", "Your friend's?"),
	"trip": func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		all, err := ask.All(ctx, mcp.InputRequestMap{"to": form("Where <to> & when?", "a"), "from": form("From?", "a")})
		if err != nil {
			return "", err
		}
		roots, err := ask.ListRoots(ctx)
		if err != nil {
			return "", err
		}
		text, err := ask.Sample(ctx, &mcp.CreateMessageParams{
			MaxTokens: 1000,
			Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Name a river."}}},
		})
		if err != nil {
			return "", err
		}
		page, err := ask.Elicit(ctx, &mcp.ElicitParams{Mode: "url", Message: "Look.", URL: "https://example.com/"})
		if err != nil {
			return "", err
		}
		return strings.Join([]string{
			said(all["from"].(*mcp.ElicitResult)), said(all["to"].(*mcp.ElicitResult)), roots.Roots[0].URI,
			text.Content[0].(*mcp.TextContent).Text, page.Action,
		}, " "), nil
	},
	"once": func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		order, err := gosdk.Once(ctx, ask, "order", func(context.Context) (map[string]any, error) {
			return map[string]any{"number": 4711, "<text>": "\u2028ü", "list": []any{1.5, nil, true}}, nil
		})
		if err != nil {
			return "", err
		}
		reply, err := ask.Elicit(ctx, form("Send "+order["<text>"].(string)+"?", "a"))
		if err != nil {
			return "", err
		}
		return said(reply), nil
	},
	"defaults": func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		reply, err := ask.Elicit(ctx, &mcp.ElicitParams{Mode: "form", Message: "How many?", RequestedSchema: json.RawMessage(
			`{"type":"object","properties":{"seats":{"type":"integer","minimum":1,"maximum":8},"sitting":{"type":"string","default":"late"}},"required":["seats"]}`)})
		if err != nil {
			return "", err
		}
		again, err := ask.Elicit(ctx, form("Sure?", "a"))
		if err != nil {
			return "", err
		}
		return said(again) + " " + reply.Content["sitting"].(string), nil
	},
}

// TestAskingVectors replays codec/testdata/asking, which other languages replay
// too: so each goes on with what another has begun.
func TestAskingVectors(t *testing.T) {
	files, err := filepath.Glob("../../../codec/testdata/asking/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors: ", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := replayAsking(t, string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(text) {
				t.Errorf("got\n%s\nwant\n%s", got, text)
			}
		})
	}
}

// replayAsking plays the rounds of a vector, each on an instance of its own, and
// returns the vector with the answers as they are.
func replayAsking(t *testing.T, vector string) string {
	secret := make([]byte, codec.MinSecret)
	for i := range secret {
		secret[i] = byte(i)
	}
	key, err := codec.NewKey(codec.SuiteXChaCha, secret)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := codec.NewKeyRing(key)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := codec.NewAEAD(keys, codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	token := ""
	lines := strings.Split(vector, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		handler, answers, isCall := strings.Cut(line, " ")
		if strings.HasPrefix(line, "#") || !isCall {
			out.WriteString(line)
			if i < len(lines)-1 {
				out.WriteByte('\n')
			}
			continue
		}
		i += 2 // past ---- and the answer
		var given mcp.InputResponseMap
		if err := json.Unmarshal([]byte(answers), &given); err != nil {
			t.Fatal(err)
		}
		guard := newGuard(t, newClock(), codec.GuardOptions{Codec: aead, Audience: "asking", Env: codec.Env{Rand: sevens{}}})
		session := legs(t, serve(t, newServer(guard, gosdk.Options{}, asking(askingHandlers[handler]))), everything())
		res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "ask", InputResponses: given, RequestState: token})
		if err != nil {
			t.Fatal(err)
		}
		answer := struct {
			Questions mcp.InputRequestMap `json:"questions,omitempty"`
			State     string              `json:"state,omitempty"`
			Token     string              `json:"token,omitempty"`
			Text      string              `json:"text,omitempty"`
		}{Questions: res.InputRequests, Token: res.RequestState}
		if token = res.RequestState; token == "" {
			answer.Text = text(t, res)
		} else {
			plaintext, err := aead.Open(token, []byte(codec.ContextGuard))
			if err != nil {
				t.Fatal(err)
			}
			claims, err := codec.Inspect(plaintext)
			if err != nil {
				t.Fatal(err)
			}
			answer.State = string(claims.State)
		}
		var written bytes.Buffer
		encoder := json.NewEncoder(&written)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(answer); err != nil {
			t.Fatal(err)
		}
		out.WriteString(line + "\n----\n" + written.String())
	}
	return out.String()
}
