package parley

import (
	"net/http"
	"time"

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

// reset forgets the cookies: another engine does not know whose they are.
func (t *StreamableHTTP) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.jar = nil
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
