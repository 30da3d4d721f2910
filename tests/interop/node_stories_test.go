package interop_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// TestStoriesInNode tells Parley's client in JavaScript, also over that of the
// SDK, the stories of broken connections, against the server that starts the
// fastest.
func TestStoriesInNode(t *testing.T) {
	t.Parallel()
	interop.SetUp(t, parleyJS)
	modern := reach(t, interop.Server{Name: "gosdk", Era: interop.Modern}, interop.HTTP)
	legacy := reach(t, interop.Server{Name: "gosdk", Era: interop.Legacy}, interop.HTTP)
	w := lay(t, legacy.at.url)
	tests := map[string]struct {
		p          *peer
		at         target
		happens    func()
		each       bool // at each question, instead of the second
		text, code string
	}{
		"killed between rounds": {p: modern, at: modern.at, happens: func() { modern.restart(t) }, each: true, text: pear},
		"cut while asked":       {p: legacy, at: target{url: w.url}, happens: w.cut, text: pear},
		"killed while asked":    {p: legacy, at: legacy.at, happens: func() { legacy.restart(t) }, code: "inDoubt"},
	}
	for name, tt := range tests {
		clients := []string{parleyJS}
		if tt.p.Era == interop.Modern { // before, the SDK's client neither says that it gave up a stream nor sends an answer again
			clients = append(clients, overTS)
		}
		for _, client := range clients {
			t.Run(name+"/"+client, func(t *testing.T) {
				interop.SetUp(t, client)
				row := tt.p.Name + ", " + string(tt.p.Era) + ", http"
				withOthers.add(t, row, "stories", name+" ("+client+")")
				page := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { tt.happens() }))
				defer page.Close()
				first, second := kind, which
				second.First = page.URL
				if tt.each {
					first.First = page.URL
				}
				got := playProgram(t, client, tt.at, tt.p.Era, []interop.Case{twice([]interop.Answer{first}, []interop.Answer{second})})[0]
				if got.Text != tt.text || !strings.HasPrefix(got.Error, tt.code) || (tt.code == "") != (got.Error == "") {
					t.Errorf("got %q, error %q, want %q, error %s", got.Text, got.Error, tt.text, tt.code)
				}
				if want := []string{askKind, askWhich}; !slices.Equal(got.Asked, want) {
					t.Errorf("asked: got %q, want %q", got.Asked, want)
				}
			})
		}
	}
}
