package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestHostile is what servers may try. A person reads what is wrong, nothing goes
// where it does not belong, and no account comes of it.
func TestHostile(t *testing.T) {
	const (
		place     = "mcp.example.com/.well-known/oauth-protected-resource/mcp"
		metaPlace = "auth.example.com/.well-known/oauth-authorization-server"
	)
	both, server := []string{"auth.example.com", "mcp.example.com"}, []string{"mcp.example.com"}
	tests := map[string]struct {
		hostile func(w *world)
		scope   string
		named   string   // resource_metadata in the challenge
		hosts   []string // that may be asked
		tokens  int      // requests for tokens
		code    oauth.Code
		text    string
	}{
		"metadata of another origin": {
			hostile: func(w *world) { w.on(place, http.NotFound) }, named: "https://evil.example.com/metadata", hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com names metadata on another host, "evil.example.com". Nothing was sent there.`,
		},
		"metadata at http:": {
			hostile: func(w *world) { w.on(place, http.NotFound) }, named: "http://mcp.example.com/metadata", hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com names metadata at an address that is not safe: "http://mcp.example.com/metadata" is not https. Nothing was sent there.`,
		},
		"metadata nowhere": {
			hostile: func(w *world) { w.on(place, http.NotFound) }, hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com wants a sign-in and does not say where: it has no protected resource metadata (RFC 9728). Ask its operator, or use a token of your own.`,
		},
		"open redirect": {
			hostile: func(w *world) { w.on(place, redirect("https://evil.example.com/metadata")) }, hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com sends requests for its metadata on to another host, "evil.example.com". They were not sent there.`,
		},
		"redirect to http:": {
			hostile: func(w *world) { w.on(place, redirect("http://mcp.example.com/metadata")) }, hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com sends requests for its metadata on to an address that is not safe: "http://mcp.example.com/metadata" is not https.`,
		},
		"redirect to javascript:": {
			hostile: func(w *world) { w.on(metaPlace, redirect("javascript:alert(1)")) }, hosts: both, code: oauth.ErrDiscovery,
			text: `auth.example.com sends requests for its metadata on to an address that is not safe: "javascript:alert(1)" is not a web address.`,
		},
		"redirects without end": {
			hostile: func(w *world) { w.on(place, redirect("https://"+place)) }, hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com redirects requests for its metadata again and again.`,
		},
		"resource of another host": {
			hostile: func(w *world) { w.resource["resource"] = "https://bank.example.com/mcp" }, hosts: server, code: oauth.ErrDiscovery,
			text: `the metadata of mcp.example.com is for something else, "https://bank.example.com/mcp": a token for that does not belong here. No page was opened.`,
		},
		"resource beside it": {
			hostile: func(w *world) { w.resource["resource"] = "https://mcp.example.com/mc" }, hosts: server, code: oauth.ErrDiscovery,
			text: `the metadata of mcp.example.com is for something else, "https://mcp.example.com/mc": a token for that does not belong here. No page was opened.`,
		},
		"authorization server in this machine": {
			hostile: func(w *world) { w.resource["authorization_servers"] = []string{"http://127.0.0.1:1"} }, hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com names an authorization server that is not safe: "http://127.0.0.1:1" is on this machine, and the server is not. Nothing was sent there.`,
		},
		"authorization server at javascript:": {
			hostile: func(w *world) { w.resource["authorization_servers"] = []string{"javascript:alert(1)"} }, hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com names an authorization server that is not safe: "javascript:alert(1)" is not a web address. Nothing was sent there.`,
		},
		"no authorization server": {
			hostile: func(w *world) { w.resource["authorization_servers"] = nil }, hosts: server, code: oauth.ErrDiscovery,
			text: `the metadata of mcp.example.com names no authorization server, so there is nowhere to sign in. Ask its operator, or use a token of your own.`,
		},
		"very many authorization servers": {
			hostile: func(w *world) { w.resource["authorization_servers"] = slices.Repeat([]string{issuerURL}, 1000) }, hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com names 1000 authorization servers; 16 is the most.`,
		},
		"issuer mismatch": {
			hostile: func(w *world) { w.meta["auth.example.com"]["issuer"] = "https://bank.example.com" }, hosts: both, code: oauth.ErrDiscovery,
			text: `the authorization server https://auth.example.com says that it is "https://bank.example.com". The two must be the same, letter by letter; no page was opened.`,
		},
		"issuer with a slash": {
			hostile: func(w *world) { w.meta["auth.example.com"]["issuer"] = issuerURL + "/" }, hosts: both, code: oauth.ErrDiscovery,
			text: `the authorization server https://auth.example.com says that it is "https://auth.example.com/". The two must be the same, letter by letter; no page was opened.`,
		},
		"no authorization server metadata": {
			hostile: func(w *world) { w.on(metaPlace, http.NotFound) }, hosts: both, code: oauth.ErrDiscovery,
			text: `auth.example.com, where mcp.example.com wants you to sign in, has no authorization server metadata (RFC 8414). Ask its operator.`,
		},
		"no PKCE": {
			hostile: func(w *world) { delete(w.meta["auth.example.com"], "code_challenge_methods_supported") }, hosts: both, code: oauth.ErrDiscovery,
			text: `the authorization server auth.example.com does not say that it protects codes (PKCE with S256), so signing in there is not safe. Ask its operator.`,
		},
		"plain PKCE": {
			hostile: func(w *world) {
				w.meta["auth.example.com"]["code_challenge_methods_supported"] = []string{"plain"}
			}, hosts: both, code: oauth.ErrDiscovery,
			text: `the authorization server auth.example.com does not say that it protects codes (PKCE with S256), so signing in there is not safe. Ask its operator.`,
		},
		"page at javascript:": {
			hostile: func(w *world) { w.meta["auth.example.com"]["authorization_endpoint"] = "javascript:alert(1)//" }, hosts: both, code: oauth.ErrDiscovery,
			text: `the authorization_endpoint of the authorization server auth.example.com is not safe: "javascript:alert(1)//" is not a web address. Nothing was sent there.`,
		},
		"page at file:": {
			hostile: func(w *world) { w.meta["auth.example.com"]["authorization_endpoint"] = "file://host/etc/passwd" }, hosts: both, code: oauth.ErrDiscovery,
			text: `the authorization_endpoint of the authorization server auth.example.com is not safe: "file://host/etc/passwd" is not https. Nothing was sent there.`,
		},
		"tokens at http:": {
			hostile: func(w *world) { w.meta["auth.example.com"]["token_endpoint"] = "http://auth.example.com/token" }, hosts: both, code: oauth.ErrDiscovery,
			text: `the token_endpoint of the authorization server auth.example.com is not safe: "http://auth.example.com/token" is not https. Nothing was sent there.`,
		},
		"metadata of 10 MB": {
			hostile: func(w *world) { w.on(metaPlace, flood) }, hosts: both, code: oauth.ErrServer,
			text: `auth.example.com answered with more than 1 MB, which is no answer to this request.`,
		},
		"metadata that is no JSON": {
			hostile: func(w *world) { w.on(place, text(200, "application/json", "{")) }, hosts: server, code: oauth.ErrDiscovery,
			text: `the metadata of mcp.example.com cannot be read: it is not the JSON it should be.`,
		},
		"metadata that fails": {
			hostile: func(w *world) { w.on(place, text(503, "text/plain", "no")) }, hosts: server, code: oauth.ErrUnreachable,
			text: `mcp.example.com answers a request for its metadata with HTTP status 503. It says: “no”. Try again later.`,
		},
		"metadata that hangs": {
			hostile: func(w *world) { w.on(place, hang) }, hosts: server, code: oauth.ErrUnreachable,
			text: `mcp.example.com did not answer in time. Try again later.`,
		},
		"registration of 10 MB": {
			hostile: func(w *world) { w.on("auth.example.com/register", flood) }, hosts: both, code: oauth.ErrServer,
			text: `auth.example.com did not register this program. Register one there, and give its client id.`,
		},
		"registration refused": {
			hostile: func(w *world) {
				w.on("auth.example.com/register", text(400, "application/json", `{"error":"invalid_redirect_uri","error_description":"client_secret=client-s3cret"}`))
			}, hosts: both, code: oauth.ErrServer,
			text: `auth.example.com did not register this program: invalid_redirect_uri. Register one there, and give its client id.`,
		},
		"registration that shows a secret": {
			hostile: func(w *world) {
				w.on("auth.example.com/register", text(201, "application/json", `{"client_id":1,"client_secret":"client-s3cret"}`))
			}, hosts: both, code: oauth.ErrServer,
			text: `auth.example.com did not register this program. Register one there, and give its client id.`,
		},
		"mix-up": {
			hostile: func(w *world) { w.back["iss"] = "https://evil.example.com" }, hosts: both, code: oauth.ErrServer,
			text: `the answer to the sign-in came from "https://evil.example.com", and you were sent to https://auth.example.com. It was thrown away, and no token was asked for.`,
		},
		"mix-up by a slash": {
			hostile: func(w *world) { w.back["iss"] = issuerURL + "/" }, hosts: both, code: oauth.ErrServer,
			text: `the answer to the sign-in came from "https://auth.example.com/", and you were sent to https://auth.example.com. It was thrown away, and no token was asked for.`,
		},
		"mix-up in an error": {
			hostile: func(w *world) {
				w.back["iss"], w.back["code"], w.back["error"] = "https://evil.example.com", "", "access_denied"
			}, hosts: both, code: oauth.ErrServer,
			text: `the answer to the sign-in came from "https://evil.example.com", and you were sent to https://auth.example.com. It was thrown away, and no token was asked for.`,
		},
		"issuer not said": {
			hostile: func(w *world) {
				w.meta["auth.example.com"]["authorization_response_iss_parameter_supported"] = true
			}, hosts: both, code: oauth.ErrServer,
			text: `the answer to the sign-in does not say that it comes from https://auth.example.com, as that server promises. It was thrown away, and no token was asked for.`,
		},
		"denied": {
			hostile: func(w *world) { w.back["code"], w.back["error"] = "", "access_denied" }, hosts: both, code: oauth.ErrDenied,
			text: `the sign-in at auth.example.com was denied.`,
		},
		"an error with a line break": {
			hostile: func(w *world) { w.back["code"], w.back["error"] = "", "a\nb" }, hosts: both, code: oauth.ErrServer,
			text: `the browser came back from auth.example.com without an answer. Try again.`,
		},
		"token endpoint that hangs": {
			hostile: func(w *world) { w.on("auth.example.com/token", hang) }, hosts: both, tokens: 1, code: oauth.ErrUnreachable,
			text: `auth.example.com did not answer in time. Try again later.`,
		},
		"token of 10 MB": {
			hostile: func(w *world) { w.on("auth.example.com/token", flood) }, hosts: both, tokens: 1, code: oauth.ErrServer,
			text: `auth.example.com answered with more than 1 MB, which is no answer to this request.`,
		},
		"token elsewhere": {
			hostile: func(w *world) { w.on("auth.example.com/token", redirect("https://evil.example.com/token")) }, hosts: both, tokens: 1, code: oauth.ErrServer,
			text: `auth.example.com sends requests for tokens on to another address. Nothing was sent there.`,
		},
		"token refused, with the code in it": {
			hostile: func(w *world) {
				w.on("auth.example.com/token", func(rw http.ResponseWriter, r *http.Request) {
					form := w.visits("/token")[0].Form
					answerJSON(rw, 400, map[string]string{"error": "invalid_grant", "error_description": form.Encode()})
				})
			}, hosts: both, tokens: 1, code: oauth.ErrServer,
			text: `auth.example.com gave no token: invalid_grant (the sign-in is over, or took too long: sign in again).`,
		},
		"token refused in HTML, with the code in it": {
			hostile: func(w *world) {
				w.on("auth.example.com/token", func(rw http.ResponseWriter, r *http.Request) {
					text(500, "text/html", w.visits("/token")[0].Form.Encode())(rw, r)
				})
			}, hosts: both, tokens: 1, code: oauth.ErrServer,
			text: `auth.example.com gave no token: HTTP status 500. Try again later.`,
		},
		"token that is none": {
			hostile: func(w *world) {
				w.on("auth.example.com/token", text(200, "application/json", `{"access_token":"client-s3cret"`))
			}, hosts: both, tokens: 1, code: oauth.ErrServer,
			text: `auth.example.com answered a request for a token with something that is none.`,
		},
		"token with a line break": {
			hostile: func(w *world) { w.token["access_token"] = "a\r\nHost: evil.example.com" }, hosts: both, tokens: 1, code: oauth.ErrServer,
			text: `auth.example.com gave no token that can be sent.`,
		},
		"token of another type": {
			hostile: func(w *world) { w.token["token_type"] = "DPoP" }, hosts: both, tokens: 1, code: oauth.ErrServer,
			text: `auth.example.com gave a token of the type "DPoP"; only Bearer can be used.`,
		},
		"a challenge of 1 MB": {
			hostile: func(w *world) { w.on(place, http.NotFound) }, scope: strings.Repeat("a", 1<<20), named: "https://mcp.example.com/" + strings.Repeat("a", 1<<20), hosts: server, code: oauth.ErrDiscovery,
			text: fmt.Sprintf("mcp.example.com names metadata at an address that is not safe: %q is not a web address. Nothing was sent there.", "https://mcp.example.com/"+strings.Repeat("a", 176)+"…"),
		},
		"a malformed challenge": {
			hostile: func(w *world) { w.on(place, http.NotFound) }, scope: "\x00 \"\\", named: "::\x00", hosts: server, code: oauth.ErrDiscovery,
			text: `mcp.example.com names metadata at an address that is not safe: "::\x00" is not a web address. Nothing was sent there.`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.hide("client-s3cret")
			tt.hostile(w)
			o := w.options()
			o.HTTPClient.Transport = impatient{o.HTTPClient.Transport}
			s := w.signIn(o)
			answer, err := s.Authorize(t.Context(), challenged(401, "scope", tt.scope, "resource_metadata", tt.named))
			e := new(oauth.Error)
			if !errors.As(err, &e) || e.Text != tt.text || !errors.Is(err, tt.code) || answer != nil {
				t.Fatalf("got  %v\nwant %s", err, tt.text)
			}
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				w.checkText("an error", fmt.Sprintf("%v %#v", cause, cause))
			}
			if got := w.hosts(); !slices.Equal(got, tt.hosts) {
				t.Errorf("requests went to %q, want %q", got, tt.hosts)
			}
			if got := len(w.visits("/token")); got != tt.tokens {
				t.Errorf("%d requests for tokens, want %d", got, tt.tokens)
			}
			if _, ok, _ := s.Account(t.Context()); ok || header(t, s) != "" {
				t.Error("an account came of it")
			}
		})
	}
}

// TestForeignMetadata is passed over if there is some at home.
func TestForeignMetadata(t *testing.T) {
	w := newWorld(t)
	authorize(t, w.signIn(w.options()), challenged(401, "resource_metadata", "https://evil.example.com/metadata"))
	if got := w.hosts(); slices.Contains(got, "evil.example.com") {
		t.Errorf("requests went to %q", got)
	}
}

// TestEndless401 asks the person each time: the engine counts, and a token that
// is refused at once is not renewed for ever.
func TestEndless401(t *testing.T) {
	w := newWorld(t)
	asked := 0
	o := w.options()
	o.Ask = func(context.Context, oauth.Prompt) error { asked++; return nil }
	s := w.signIn(o)
	for range 3 {
		header(t, s)
		authorize(t, s, challenged(401))
	}
	if asked != 2 || len(w.visits("/token")) != 3 {
		t.Errorf("asked %d times with %d requests for tokens, want 2 and 3", asked, len(w.visits("/token")))
	}
}

func redirect(to string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Location", to)
		rw.WriteHeader(http.StatusTemporaryRedirect)
	}
}

func text(status int, kind, body string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", kind)
		rw.WriteHeader(status)
		fmt.Fprint(rw, body)
	}
}

func flood(rw http.ResponseWriter, _ *http.Request) {
	rw.Header().Set("Content-Type", "application/json")
	for range 10 << 10 {
		if _, err := rw.Write([]byte(strings.Repeat(" ", 1<<10))); err != nil {
			return
		}
	}
}

func hang(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Hangs", "yes")
	rw.WriteHeader(http.StatusOK)
	rw.(http.Flusher).Flush()
	<-r.Context().Done()
}

// impatient ends the patience for an answer as soon as it is known to hang, so
// that no test waits, and none depends on how long it takes.
type impatient struct{ under http.RoundTripper }

func (i impatient) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := i.under.RoundTrip(request)
	if err == nil && response.Header.Get("Hangs") != "" {
		response.Body.Close()
		return nil, os.ErrDeadlineExceeded
	}
	return response, err
}

// TestPatience is for 30 seconds, or less if the host's client has less.
func TestPatience(t *testing.T) {
	for given, want := range map[time.Duration]time.Duration{0: 30 * time.Second, time.Second: time.Second, time.Hour: 30 * time.Second} {
		if got := oauth.Patience(&http.Client{Timeout: given}); got != want {
			t.Errorf("a client with %v: got %v, want %v", given, got, want)
		}
	}
	if got := oauth.Patience(nil); got != 30*time.Second {
		t.Errorf("no client: got %v", got)
	}
}
