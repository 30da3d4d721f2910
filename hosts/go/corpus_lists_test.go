package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/rawjson"
)

// TestLists plays the corpus of lists; its README says what the lines mean. With
// -update what happens is written into the scripts.
func TestLists(t *testing.T) {
	paths, err := filepath.Glob("../testdata/lists/*.txt")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			head, want, found := strings.Cut(string(text), "\n----\n")
			fact, script, _ := strings.Cut(head, "\n\n")
			if !found || !strings.HasPrefix(fact, "# ") {
				t.Fatal("no fact, or no line ----")
			}
			p := readListScript(t, script)
			got := p.play(t)
			switch {
			case got == want:
			case *update:
				if err := os.WriteFile(path, []byte(head+"\n----\n"+got), 0o666); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// listPlayer is the server of a script, and who notes what happens.
type listPlayer struct {
	list    string
	answers []string // JSON-RPC members
	endless string
	copies  bool
	stop    int
	asked   int
	lines   []string
}

func readListScript(t *testing.T, script string) *listPlayer {
	p := &listPlayer{}
	for line := range strings.Lines(enginetest.Expand(script)) {
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch verb {
		case "list":
			p.list = rest
		case "stop":
			p.stop = number(t, rest)
		case "page":
			p.answers = append(p.answers, `"result":`+rest)
		case "error":
			p.answers = append(p.answers, `"error":`+rest)
		case "endless":
			p.endless = rest
		case "items":
			n, item, _ := strings.Cut(rest, " ")
			p.copies = true
			items := strings.TrimSuffix(strings.Repeat(item+",", number(t, n)), ",")
			p.answers = append(p.answers, fmt.Sprintf(`"result":{"resultType":"complete",%q:[%s]}`, p.list, items))
		default:
			t.Fatalf("nobody knows %q", line)
		}
	}
	return p
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (p *listPlayer) play(t *testing.T) string {
	var warned []string
	watch := parley.SessionWatchers{OnWarning: func(text string) { warned = append(warned, "warned "+text) }}
	s, err := parley.NewSession(parley.Native{}, parley.Requests(p.answer), parley.SessionOptions{Watchers: watch})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	switch p.list {
	case "tools":
		n, err = loop(p, s.Tools(t.Context()))
	case "prompts":
		n, err = loop(p, s.Prompts(t.Context()))
	case "resources":
		n, err = loop(p, s.Resources(t.Context()))
	case "resourceTemplates":
		n, err = loop(p, s.ResourceTemplates(t.Context()))
	default:
		t.Fatalf("there is no list of %s", p.list)
	}
	if p.endless != "" {
		p.lines = append(p.lines, fmt.Sprint("asked ", p.asked))
	}
	if p.copies {
		p.lines = append(p.lines, fmt.Sprint("listed ", n))
	}
	closeAll(t, s) // who watches has been told by then
	return strings.Join(slices.Concat(p.lines, []string{ended(t, err)}, warned, []string{""}), "\n")
}

func loop[T any](p *listPlayer, items iter.Seq2[*T, error]) (n int, failed error) {
	for item, err := range items {
		if err != nil {
			failed = err
			continue // to see that it is the last
		}
		if n++; !p.copies {
			p.lines = append(p.lines, listLine("item", item))
		}
		if n == p.stop {
			break
		}
	}
	return n, failed
}

func listLine(name string, value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return name + " " + err.Error()
	}
	return name + " " + strings.TrimSuffix(b.String(), "\n")
}

func ended(t *testing.T, err error) string {
	var failed *parley.Error
	switch {
	case err == nil:
		return "end"
	case !errors.As(err, &failed):
		t.Fatalf("got %v, want an *Error", err)
	}
	var fault struct {
		Code   int    `json:"code"`
		Detail string `json:"detail,omitempty"`
	}
	fault.Code = int(failed.Code)
	if failed.Response == nil {
		fault.Detail = failed.Detail
	}
	return listLine("failed", fault)
}

// answer is the server.
func (p *listPlayer) answer(_ context.Context, r parley.Outbound) ([]byte, error) {
	p.asked++
	if p.endless != "" {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":%s,"nextCursor":"%d"}}`, strings.TrimSuffix(p.endless, "}"), p.asked), nil
	}
	var members []string
	var m rawjson.Members
	for m.Start(r.Params); m.Next(); {
		if !m.Is("_meta") {
			members = append(members, string(m.Name)+":"+string(m.Value))
		}
	}
	slices.Sort(members)
	method := p.list + "/list"
	if p.list == "resourceTemplates" {
		method = "resources/templates/list"
	}
	if r.Method != method {
		return nil, fmt.Errorf("got %s, want %s", r.Method, method)
	}
	p.lines = append(p.lines, "ask {"+strings.Join(members, ",")+"}")
	if len(p.answers) == 0 {
		return nil, errors.New("nobody was to ask for more")
	}
	answer := p.answers[0]
	p.answers = p.answers[1:]
	return []byte(`{"jsonrpc":"2.0","id":1,` + answer + `}`), nil
}
