package parley_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/failures"
)

// programOf has this test's program be the server over stdio of a case.
const programOf = "PARLEY_VERDICT_PROGRAM"

// A tool call that fails says whether the tool may have run, and why it failed
// in words that a person can act on.
func TestVerdicts(t *testing.T) {
	cases, err := failures.Read("../testdata/verdicts")
	must(t, err)
	if name := os.Getenv(programOf); name != "" {
		for _, c := range cases {
			if c.Name == name {
				os.Exit(c.Program.Run(os.Stdin, os.Stdout))
			}
		}
		os.Exit(1)
	}
	server, err := failures.Serve(cases)
	must(t, err)
	defer server.Close()
	engines(t, func(t *testing.T, e parley.Engine) {
		for _, c := range cases {
			said, ok := c.At("go")
			if !ok {
				continue
			}
			t.Run(c.Name, func(t *testing.T) {
				s := newSession(t, e, transportTo(t, c, server), parley.SessionOptions{})
				opts := engine.Options{LegTimeout: time.Duration(c.Timeout) * time.Millisecond}
				_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("pay", `{}`), Options: opts})
				if got := verdictOf(t, err); got != said.Verdict {
					t.Errorf("verdict: got %s, want %s: %v", got, said.Verdict, err)
				}
				text := fmt.Sprint(err)
				for _, words := range said.Words {
					if !strings.Contains(text, words) {
						t.Errorf("got %q, want it to say %q", text, words)
					}
				}
				if at := server.At[c.Name]; at.URL != "" && (strings.Contains(text, at.URL) || strings.Contains(text, "s3cret")) {
					t.Errorf("the words tell the URL: %v", err)
				}
				closeAll(t, s)
			})
		}
	})
}

func transportTo(t *testing.T, c failures.Case, server *failures.Server) parley.Transport {
	if c.Program != nil {
		return &parley.Stdio{MaxMessage: c.Most, Command: func() *exec.Cmd {
			if c.Program.Missing {
				return exec.Command(filepath.Join(t.TempDir(), "server"))
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestVerdicts$")
			cmd.Env = append(os.Environ(), programOf+"="+c.Name)
			return cmd
		}}
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(server.CA)
	at := server.At[c.Name]
	trusting := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	t.Cleanup(trusting.CloseIdleConnections)
	if at.Proxy != "" {
		proxy, err := url.Parse(at.Proxy)
		must(t, err)
		trusting.Proxy = http.ProxyURL(proxy)
	}
	client := &http.Client{Transport: trusting}
	if c.Login != "" {
		client.Transport = closedLogin(c.Login)
	}
	return &parley.StreamableHTTP{URL: at.URL, MaxMessage: c.Most, Client: client}
}

// closedLogin is a RoundTripper that could not get a token.
type closedLogin string

func (words closedLogin) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s: %w", string(words), parley.ErrUnsent)
}

// verdictOf is what became of a tool call, as a host can tell it to a person.
func verdictOf(t *testing.T, err error) string {
	t.Helper()
	var failed *parley.Error
	var status *parley.StatusError
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, fault.RPC):
		return "answered"
	case errors.Is(err, fault.Malformed):
		return "unusable"
	case !errors.As(err, &failed) || !failed.Resumable:
		t.Fatalf("got %v, want an error with a snapshot", err)
	case errors.Is(err, fault.InDoubt), errors.Is(err, fault.LegTimeout):
		return "in doubt"
	case errors.As(err, &status):
		return "refused"
	case errors.Is(err, fault.Lost):
		return "not sent"
	}
	return err.Error()
}
