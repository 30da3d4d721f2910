package main_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestCookies calls a server that has two replicas, of which each has its own
// sessions. A balancer keeps a client at one of them by a cookie, and sends it to
// one after the other without. What parley writes has no cookie in it.
func TestCookies(t *testing.T) {
	t.Parallel()
	const secret = "c00kie-s3cret"
	for _, version := range []string{current, latest, middle, oldest} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			var replicas [2]http.Handler
			for i := range replicas {
				peer := newPeer(version)
				replicas[i] = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return peer }, &mcp.StreamableHTTPOptions{Stateless: version == current})
			}
			var turn, pinned atomic.Int64
			balancer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				at := -1
				if cookie, err := r.Cookie("node"); err == nil {
					at = strings.Index("ab", strings.TrimPrefix(cookie.Value, secret+"-"))
					pinned.Add(1)
				}
				if at < 0 {
					at = int(turn.Add(1) % 2)
					http.SetCookie(w, &http.Cookie{Name: "node", Value: secret + "-" + "ab"[at:at+1], Path: "/", HttpOnly: true})
				}
				replicas[at].ServeHTTP(w, r)
			}))
			defer balancer.Close()
			dir := t.TempDir()
			written := ""
			parley := func(args ...string) ending {
				got := run(t, "", append(args, "--state-dir", dir)...)
				written += got.stdout + got.stderr
				return got
			}
			for range 2 { // from either replica on
				parley("call", balancer.URL, "greet", "--trace", "--script", file(t, answersForGreet)).check(t, 0, "Hello Ada of Oslo.\n")
				parley("read", balancer.URL, "https://peer.example/motto", "--json")
				parley("tools", balancer.URL, "--trace")
			}
			if pinned.Load() == 0 {
				t.Error("no cookie came back")
			}
			got := parley("call", balancer.URL, "greet", "--trace") // nobody is there to answer
			got.says(t, "parked as ")
			written += files(t, dir)
			parley("export", stored(t, dir)[0], "-")
			if version == current && !strings.Contains(written, `"parley":`) {
				t.Error("no snapshot was written: this proves nothing")
			}
			if strings.Contains(written, secret) {
				t.Error("a cookie was written")
			}
		})
	}
}
