package parley

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/hosts/go/internal/cookies"
)

// cookies are an account's, nil if the host's client keeps them itself. They go with
// a request that somebody waits for: another may be of an engine that is gone, which
// counted accounts by itself.
func (t *StreamableHTTP) cookies(request *http.Request, account int) *cookies.Cookies {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Client != nil && t.Client.Jar != nil || request.Context().Err() != nil {
		return nil
	}
	if t.jar == nil {
		t.jar = cookies.New(request.URL)
	}
	return t.jar.Of(account)
}

// account is the number of an account among those of all cores. It notes what ends the
// server's session of an earlier era.
func (t *StreamableHTTP) account(jar int, headers []session.Header) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	account := t.firstAccount + jar
	t.lastAccount = max(t.lastAccount, account)
	t.ending = nil
	for _, field := range headers {
		if field.Name == "Mcp-Session-Id" || field.Name == "MCP-Protocol-Version" {
			t.ending = append(t.ending, field)
		}
	}
	return account
}

// reset begins without cookies, because another core does not know whose they are, and
// ends the server's session.
func (t *StreamableHTTP) reset() {
	t.mu.Lock()
	t.lastAccount++
	t.firstAccount = t.lastAccount
	ending := t.ending
	t.ending = nil
	t.mu.Unlock()
	if slices.ContainsFunc(ending, func(field session.Header) bool { return field.Name == "Mcp-Session-Id" }) {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		t.Perform(ctx, session.Delete{Exchange: -1, Jar: -1, Headers: ending}, func(session.Event, error) { cancel() })
	}
}

func (x *httpExchange) addCookies(request *http.Request) {
	x.cookies = x.transport.cookies(request, x.jar)
	if x.cookies == nil {
		return
	}
	if field := x.cookies.Field(time.Now().UnixMilli()); field != "" {
		request.Header.Set("Cookie", field)
	}
}

// takeCookies keeps what a response sets, whatever its status, before its body is
// read. What another URL sets, to which the host's client has followed a redirect,
// is not kept.
func (x *httpExchange) takeCookies(response *http.Response, request *http.Request) {
	fields := response.Header["Set-Cookie"]
	if x.cookies == nil || len(fields) == 0 || response.Request != nil && response.Request.URL.String() != request.URL.String() {
		return
	}
	x.cookies.Take(fields, time.Now().UnixMilli())
}
