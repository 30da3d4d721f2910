//go:build unix

package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
)

func browserCommand() string { return "'" + os.Args[0] + "' browse" }

// TestPage opens a page twice: the first time its button is not pressed.
func TestPage(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"wasm", "native"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			server, dir := watch(t), t.TempDir()
			log := filepath.Join(t.TempDir(), "visits")
			visits := func() []string {
				text, _ := os.ReadFile(log)
				return strings.Fields(string(text))
			}
			w := startWith(t, 100, 40, func(w *terminal) { w.cmd.Env = append(w.cmd.Env, "PARLEY_TEST_BROWSED="+log) },
				"call", server.url, "connect_account", "--browser", browserCommand(), "--state-dir", dir, "--engine", engine)
			w.sees(label(server.url)+" asks to open a page", "│ Confirm on our page that your calendar account", "  "+server.url+"/connect/",
				"  host: 127.0.0.1", "This page is on your own computer.", "Open this page?", "> Open in the browser",
				"  I will open it myself", "  Decline", "  Dismiss", "  Park", "  Stop this call", "p park")
			if n := len(visits()); n != 0 {
				t.Fatalf("visited before there was consent: %d", n)
			}
			w.press(enter)
			w.sees("→ opened in the browser", "it is still waiting for what you do on its page", "Are you done on the page?", "> I am done", "  Open the page again")
			w.press(enter)
			w.sees("→ checked again", "Are you done on the page?")
			if n := len(visits()); n != 1 {
				t.Fatalf("visits: got %d, want 1", n)
			}
			w.press("p")
			w.sees("→ parked")
			w.ends(5)

			w = startWith(t, 100, 40, func(w *terminal) { w.cmd.Env = append(w.cmd.Env, "PARLEY_TEST_BROWSED="+log) },
				"resume", stored(t, dir)[0], "--browser", browserCommand(), "--state-dir", dir, "--engine", engine)
			w.sees("Are you done on the page?")
			w.press(down, enter)
			w.sees("→ opened in the browser", "> I am done")
			w.wait(func(string) string {
				if _, err := os.Stat(log + ".pressed"); err != nil {
					return "nobody has pressed the page's button"
				}
				return ""
			})
			w.press(enter)
			w.sees("Your calendar account is connected.")
			w.ends(0)
			if got := visits(); len(got) != 2 || got[0] != got[1] || !strings.HasPrefix(got[0], server.url+"/connect/") {
				t.Errorf("visits: got %q", got)
			}
			checkEmpty(t, dir)
		})
	}
}

// TestPageByHand takes the address, or finds no browser, or says no.
func TestPageByHand(t *testing.T) {
	t.Parallel()
	w := start(t, 40, 40, "call", server(t), "connect_account", "--browser", "/no/such/browser")
	w.sees("> Open in the browser")
	w.press(enter)
	w.seesFlat("warning: the browser did not open", "/no/such/browser: no such file", "> Open in the browser")
	w.press(down, enter)
	w.seesFlat("→ to be opened by you:", "/connect/", "> I am done")
	w.press(down, down)
	w.sees("> Decline")
	w.press(enter)
	w.seesFlat("→ declined", "Nothing was connected: the user declined.")
	w.ends(0)
}

func TestPageByScript(t *testing.T) {
	t.Parallel()
	accept := file(t, `{"answers":[{"key":"connect","action":"accept"},{"key":"connect","action":"accept"}]}`)
	got := run(t, "", "call", patientServer(t), "connect_account", "--script", accept, "--browser", browserCommand())
	got.check(t, 0, "Your calendar account is connected.\n")
	got.says(t, "asks to open a page", "host: 127.0.0.1", "→ opened", "nothing asked for answers[1] (connect)")
	got = run(t, "", "call", server(t), "connect_account", "--script", accept)
	got.check(t, 3, "")
	got.says(t, "→ accepted; nothing was opened", "still waiting", "→ checked again", `add one to its "answers": {"key": "connect", "action": "accept"}`)
	got = run(t, "", "call", server(t), "connect_account")
	got.check(t, 3, "")
	got.says(t, "-32021")
}

// patientServer is a story server that answers the second leg of a call when the
// page's button was pressed: parley does not wait for a browser for ever.
func patientServer(t *testing.T) (url string) {
	t.Helper()
	handler := storytest.Handler(t)
	pressed := make(chan struct{})
	var legs atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isPage := strings.HasPrefix(r.URL.Path, "/connect/")
		if !isPage && legs.Add(1) == 2 {
			select {
			case <-pressed:
			case <-r.Context().Done():
			}
		}
		handler.ServeHTTP(w, r)
		if isPage {
			close(pressed)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestHostilePage asks to open what is not to be opened, or only with care.
func TestHostilePage(t *testing.T) {
	t.Parallel()
	ask := func(u string) string {
		url, _ := rawServer(t, quoted(`"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url","message":<1>,"url":"`+u+`"}}}}`), done)
		return url
	}
	for _, url := range []string{"javascript:alert(1)", "file:///etc/passwd", "http://example.com/", "https://bank.example@evil.example/", `https://a.example/\u001b[2J`, "https://a.example/ b"} {
		w := start(t, 100, 24, "call", ask(url), "x", "--browser", "/no/such/browser", "--engine=native")
		w.sees("parley: malformed message from the server")
		w.ends(3)
		if screen := w.look(); strings.Contains(screen, "Open") {
			t.Errorf("%s: asked to open it:\n%s", url, screen)
		}
	}
	const long = "https://user-bank.EXAMPLE:8443/path?a=b#c"
	for _, noColor := range []string{"", "1"} {
		w := startWith(t, 100, 30, func(w *terminal) { w.cmd.Env = append(w.cmd.Env, "NO_COLOR="+noColor) }, "call", ask(long), "x")
		w.seesFlat("│ "+seen(1), "  "+long, "host: user-bank.example", "> Open in the browser")
		w.press("p")
		w.ends(5)
		checkSafe(t, w.raw.String())
		if !strings.Contains(w.raw.String(), "\x1b[1;7muser-bank.EXAMPLE\x1b[m:8443") {
			t.Errorf("NO_COLOR=%s: the host does not stand out: %q", noColor, w.raw.String())
		}
	}
	w := start(t, 100, 30, "call", ask("https://xn--pple-43d.com/"), "x")
	w.seesFlat("host: xn--pple-43d.com", "warning: the name of this host stands for letters beyond a to z: what a browser shows may look like another name", "> Open in the browser")
	w.press("p")
	w.ends(5)
}
