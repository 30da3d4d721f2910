package parley

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/hosts/go/internal/cookies"
	"github.com/parley-mcp/parley/sentence"
)

// StreamableHTTP is the [Transport] of servers behind a URL: Streamable HTTP in
// the form of MCP 2026-07-28 and in that of the versions before it.
//
// It keeps the server's cookies, because balancers pin sessions by them: in
// memory, as long as the session lives, for its URL and one account alone. When
// another account signs in they are gone.
type StreamableHTTP struct {
	URL string

	// Authorization is the value of the Authorization header field for the next
	// request, such as "Bearer …"; "" leaves it out. It is called before each
	// request, from any goroutine. If it fails, the request is not sent, and the
	// text of its error is shown to the person. Nil sends none. What a server
	// wants it says to [Askers.Authorize].
	Authorization func(ctx context.Context) (string, error)

	// Client makes the requests. Nil means one of its own. Redirects are not
	// followed unless its CheckRedirect says so: answers and authorization go
	// nowhere but to URL. One with a Jar keeps cookies in that, whoever signs in,
	// and the transport keeps none. It must not change after the first Perform.
	Client *http.Client

	// MaxMessage bounds one message of the server, in bytes. Zero means 65
	// MiB.
	MaxMessage int

	mu      sync.Mutex
	used    *http.Client
	carried *string // the last value of Authorization, nil before the first
	changes int     // of it
	jar     *cookies.Jar

	// How many accounts had signed in when the core was made, and have by now.
	firstAccount, lastAccount int
	ending                    []session.Header // of the server's session

	running sync.WaitGroup
}

// Kind implements [Transport].
func (t *StreamableHTTP) Kind() session.Transport { return session.HTTP }

// Perform implements [Transport].
func (t *StreamableHTTP) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	x := httpExchange{transport: t, report: report, most: maxMessage(t.MaxMessage), far: arrival{once: t.isPlain()}}
	var request *http.Request
	var err error
	switch a := a.(type) {
	case session.Post:
		x.number, x.jar = a.Exchange, t.account(a.Jar, a.Headers)
		request, err = newRequest(ctx, http.MethodPost, t.URL, a.Headers, bytes.NewReader(a.Body))
	case session.Listen:
		x.number, x.jar = a.Exchange, t.account(a.Jar, a.Headers)
		request, err = newRequest(ctx, http.MethodGet, t.URL, a.Headers, nil)
	case session.Delete:
		x.number, x.jar = a.Exchange, t.account(a.Jar, nil)
		request, err = newRequest(ctx, http.MethodDelete, t.URL, a.Headers, nil)
	default:
		return
	}
	if err != nil {
		report(session.Ended{Exchange: x.number, Reason: said(err), Unsent: true}, err)
		return
	}
	client := t.client()
	answered := make(chan struct{})
	t.running.Go(func() { x.run(client, request, answered) })
	if listen, ok := a.(session.Listen); ok && !resumes(listen) {
		// What the server asks on its own stream, while a call is made that
		// goes out next, would be lost before the stream is open.
		timer := time.NewTimer(openTime)
		defer timer.Stop()
		select {
		case <-answered:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// connectTime is less than how long a leg may take by default: one that gets no
// connection is not in doubt.
const connectTime = 30 * time.Second

// openTime is how long other messages wait for the server's own stream.
const openTime = 500 * time.Millisecond

// resumes reports whether a stream is taken up that broke off.
func resumes(a session.Listen) bool {
	for _, field := range a.Headers {
		if field.Name == "Last-Event-ID" {
			return true
		}
	}
	return false
}

// Close implements [Transport].
func (t *StreamableHTTP) Close() error {
	t.running.Wait() // the exchanges' contexts have ended
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Client == nil && t.used != nil {
		t.used.CloseIdleConnections()
	}
	return nil
}

// authorize is the Authorization of the next request, and how often it has
// changed. Another one may be another account's.
func (t *StreamableHTTP) authorize(ctx context.Context) (value string, changes int, err error) {
	if t.Authorization == nil {
		return "", 0, nil
	}
	if value, err = t.Authorization(ctx); err != nil {
		return "", 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.carried != nil && *t.carried != value {
		t.changes++
	}
	t.carried = &value
	return value, t.changes, nil
}

func (t *StreamableHTTP) authorized(ctx context.Context) (changes int, err error) {
	_, changes, err = t.authorize(ctx)
	return changes, err
}

func (t *StreamableHTTP) client() *http.Client {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.used != nil:
	case t.Client != nil:
		t.used = unredirected(t.Client)
	default:
		t.used = unredirected(&http.Client{Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, DialContext: (&net.Dialer{Timeout: connectTime}).DialContext,
			MaxIdleConnsPerHost: 64, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
		}})
	}
	return t.used
}

// isPlain reports whether there is nothing in the client that may send a
// request a second time.
func (t *StreamableHTTP) isPlain() bool {
	if t.Client == nil || t.Client.Transport == nil {
		return t.Client == nil || t.Client.CheckRedirect == nil
	}
	_, ok := t.Client.Transport.(*http.Transport)
	return ok && t.Client.CheckRedirect == nil
}

// unredirected is a client that takes a redirect as the answer, unless its
// host has said what to do with one: following it would hand answers,
// authorization and requestState to whoever it names. Nil is the zero Client.
func unredirected(given *http.Client) *http.Client {
	if given != nil && given.CheckRedirect != nil {
		return given
	}
	var client http.Client
	if given != nil {
		client = *given
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

func newRequest(ctx context.Context, method, url string, headers []session.Header, body io.Reader) (*http.Request, error) {
	if err := checkURL(url); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	for _, field := range headers {
		request.Header.Set(field.Name, field.Value)
	}
	return request, nil
}

// httpExchange is one HTTP request and what comes of it.
type httpExchange struct {
	transport *StreamableHTTP
	number    int
	most      int
	far       arrival
	report    func(session.Event, error)

	authorization int // how often it had changed
	jar           int // whose cookies go with it
	cookies       *cookies.Cookies

	status    int
	session   string
	challenge string
	location  string
}

// run makes the request and says when it is answered, or will not be.
func (x *httpExchange) run(client *http.Client, request *http.Request, answered chan<- struct{}) {
	defer func() {
		if p := recover(); p != nil {
			x.ended("the HTTP client panicked", fmt.Errorf("parley: the HTTP client panicked: %v", p))
		}
	}()
	value, changes, err := x.transport.authorize(request.Context())
	if err != nil {
		close(answered)
		x.report(session.Ended{Exchange: x.number, Reason: said(err), Unsent: true}, err)
		return
	}
	x.authorization = changes
	if value != "" {
		request.Header.Set("Authorization", value)
	}
	request = request.WithContext(httptrace.WithClientTrace(request.Context(), x.far.trace()))
	x.addCookies(request)
	response, err := x.do(client, request, answered)
	if err != nil {
		x.unanswered(bare(err))
		return
	}
	x.takeCookies(response, request)
	defer response.Body.Close()
	x.status, x.session = response.StatusCode, response.Header.Get("Mcp-Session-Id")
	x.challenge = strings.Join(response.Header.Values("WWW-Authenticate"), ", ")
	x.location = movedTo(response)
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	var content io.Reader = response.Body
	if kind == "text/event-stream" && x.status == http.StatusOK {
		if request.Method == http.MethodGet {
			x.report(session.Opened{Exchange: x.number}, nil)
		}
		stream := bufio.NewReaderSize(response.Body, streamBuffer)
		if !isJSON(stream) {
			x.stream(stream)
			return
		}
		content = stream
	}
	body, err := readWhole(content, x.most)
	var cause error
	if x.status >= 300 {
		cause = &StatusError{Code: x.status}
	}
	switch {
	case err != nil:
		x.ended(whyCut(err), cmp.Or(cause, err))
	case len(body) == 0:
		x.ended("", cause)
	default:
		x.report(session.Message{Exchange: x.number, Body: body, Status: x.status, SessionID: x.session, Challenge: x.challenge, Location: x.location, Authorization: x.authorization, Last: true}, cause)
	}
}

func (x *httpExchange) do(client *http.Client, request *http.Request, answered chan<- struct{}) (*http.Response, error) {
	defer close(answered)
	return client.Do(request)
}

// unanswered reports that there was no response.
func (x *httpExchange) unanswered(err error) {
	ended := session.Ended{Exchange: x.number, Unsent: x.far.isExcluded(err)}
	if ended.Unsent {
		ended.Reason = whyUnsent(err, x.far.failedToSecure())
	} else {
		ended.Reason = whyLost(err)
	}
	x.report(ended, err)
}

// movedTo is where a redirect leads, "" if the response is none. What follows the
// path may be a secret.
func movedTo(response *http.Response) string {
	if response.StatusCode < 300 || response.StatusCode >= 400 {
		return ""
	}
	to, err := response.Location()
	if err != nil || to.Scheme != "http" && to.Scheme != "https" {
		return ""
	}
	return (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path, RawPath: to.RawPath}).String()
}

// isJSON reports whether a body is JSON, whatever its Content-Type says: no line of an
// event stream begins like this.
func isJSON(body *bufio.Reader) bool {
	first, _ := body.Peek(1)
	return len(first) > 0 && (first[0] == '{' || first[0] == '[')
}

func readWhole(body io.Reader, most int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, int64(most)+1))
	if len(text) > most {
		return nil, tooLong("the response", most)
	}
	return text, err
}

// stream reports server-sent events, each of which is a message.
func (x *httpExchange) stream(body io.Reader) {
	events := newEventReader(body, x.most)
	for {
		data, err := events.next()
		if err != nil {
			ended := session.Ended{Exchange: x.number, Status: x.status, SessionID: x.session, EventID: events.id, Retry: events.retry, Authorization: x.authorization}
			if err == io.EOF {
				err = nil
			} else {
				ended.Reason = whyCut(err)
			}
			x.report(ended, err)
			return
		}
		x.report(session.Message{
			Exchange: x.number, Body: data, Status: x.status, SessionID: x.session, EventID: events.id, Retry: events.retry, Authorization: x.authorization,
		}, nil)
	}
}

func (x *httpExchange) ended(reason sentence.Text, cause error) {
	x.report(session.Ended{Exchange: x.number, Status: x.status, SessionID: x.session, Challenge: x.challenge, Location: x.location, Reason: reason, Authorization: x.authorization}, cause)
}
