package parley_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
	"github.com/parley-mcp/parley/sentence"
)

// reports collects what a transport reports.
type reports struct {
	mu     sync.Mutex
	events []session.Event
	causes []error
	more   chan struct{}
}

func newReports() *reports { return &reports{more: make(chan struct{}, 1000)} }

func (r *reports) report(ev session.Event, cause error) {
	r.mu.Lock()
	r.events, r.causes = append(r.events, ev), append(r.causes, cause)
	r.mu.Unlock()
	select {
	case r.more <- struct{}{}:
	default:
	}
}

func (r *reports) all() []session.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]session.Event(nil), r.events...)
}

// wait returns what was reported once there is as much as that.
func (r *reports) wait(t *testing.T, n int) []session.Event {
	t.Helper()
	timeout := time.After(hosttest.Patience)
	for {
		if all := r.all(); len(all) >= n {
			return all
		}
		select {
		case <-r.more:
		case <-timeout:
			t.Fatalf("got %v, want %d events", r.all(), n)
		}
	}
}

// exchange performs one action over HTTP and returns what came of it.
func exchange(t *testing.T, transport *parley.StreamableHTTP, a session.Action) []session.Event {
	t.Helper()
	r := newReports()
	transport.Perform(t.Context(), a, r.report)
	if err := transport.Close(); err != nil { // which waits
		t.Fatal(err)
	}
	return r.all()
}

type answer struct {
	status int
	kind   string
	body   string
}

func answerWith(a answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Mcp-Session-Id", "s1")
		w.WriteHeader(a.status)
		io.WriteString(w, a.body)
	})
}

func TestStreamableAnswers(t *testing.T) {
	const (
		sse  = "text/event-stream"
		json = "application/json"
	)
	message := func(body, id string, retry int) session.Event {
		return session.Message{Exchange: 7, Body: []byte(body), Status: 200, SessionID: "s1", EventID: id, Retry: retry}
	}
	ended := func(id string, retry int) session.Event {
		return session.Ended{Exchange: 7, Status: 200, SessionID: "s1", EventID: id, Retry: retry}
	}
	last := func(status int, body string) session.Event {
		return session.Message{Exchange: 7, Body: []byte(body), Status: status, SessionID: "s1", Last: true}
	}
	failed := func(reason sentence.Text) session.Event {
		return session.Ended{Exchange: 7, Status: 200, SessionID: "s1", Reason: reason}
	}
	tests := map[string]struct {
		answer
		want []session.Event
	}{
		"json":                  {answer{200, json, `{"a":1}`}, []session.Event{last(200, `{"a":1}`)}},
		"json with charset":     {answer{200, json + "; charset=utf-8", `{}`}, []session.Event{last(200, `{}`)}},
		"error with a body":     {answer{400, json, `{"error":{}}`}, []session.Event{last(400, `{"error":{}}`)}},
		"page":                  {answer{404, "text/html", "<html>"}, []session.Event{last(404, "<html>")}},
		"no kind":               {answer{200, "", "x"}, []session.Event{last(200, "x")}},
		"accepted":              {answer{202, "", ""}, []session.Event{session.Ended{Exchange: 7, Status: 202, SessionID: "s1"}}},
		"not allowed":           {answer{405, "", ""}, []session.Event{session.Ended{Exchange: 7, Status: 405, SessionID: "s1"}}},
		"redirect":              {answer{307, "", ""}, []session.Event{session.Ended{Exchange: 7, Status: 307, SessionID: "s1"}}},
		"error as a stream":     {answer{502, sse, "data: x\n\n"}, []session.Event{last(502, "data: x\n\n")}},
		"as long as may be":     {answer{200, json, strings.Repeat("x", 100)}, []session.Event{last(200, strings.Repeat("x", 100))}},
		"too long":              {answer{200, json, strings.Repeat("x", 101)}, []session.Event{failed("the response is longer than 100 bytes (MaxMessage)")}},
		"stream":                {answer{200, sse, "data: a\n\ndata: b\n\n"}, []session.Event{message("a", "", 0), message("b", "", 0), ended("", 0)}},
		"stream with charset":   {answer{200, sse + ";charset=utf-8", "data: a\n\n"}, []session.Event{message("a", "", 0), ended("", 0)}},
		"empty stream":          {answer{200, sse, ""}, []session.Event{ended("", 0)}},
		"carriage returns":      {answer{200, sse, "data: a\r\rdata: b\r\r"}, []session.Event{message("a", "", 0), message("b", "", 0), ended("", 0)}},
		"both":                  {answer{200, sse, "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n"}, []session.Event{message("a\nb", "", 0), message("c", "", 0), ended("", 0)}},
		"no space":              {answer{200, sse, "data:a\ndata:  b\n\n"}, []session.Event{message("a\n b", "", 0), ended("", 0)}},
		"byte order mark":       {answer{200, sse, "\ufeffdata: a\n\n"}, []session.Event{message("a", "", 0), ended("", 0)}},
		"comments":              {answer{200, sse, ": hello\n\n:\n\ndata: a\n: still here\ndata: b\n\n: bye\n\n"}, []session.Event{message("a\nb", "", 0), ended("", 0)}},
		"named events":          {answer{200, sse, "event: endpoint\ndata: /x\n\nevent: message\ndata: a\n\nevent\ndata: b\n\n"}, []session.Event{message("a", "", 0), message("b", "", 0), ended("", 0)}},
		"ids":                   {answer{200, sse, "id: 1\ndata: a\n\ndata: b\n\nid: 3\ndata: c\n\n"}, []session.Event{message("a", "1", 0), message("b", "1", 0), message("c", "3", 0), ended("3", 0)}},
		"id without data":       {answer{200, sse, "id: 1\ndata:\n\n"}, []session.Event{ended("1", 0)}},
		"id of a named event":   {answer{200, sse, "event: prime\nid: 5_0\n\n"}, []session.Event{ended("5_0", 0)}},
		"id with a null":        {answer{200, sse, "id: 1\n\nid: 2\x003\ndata: a\n\n"}, []session.Event{message("a", "1", 0), ended("1", 0)}},
		"retry":                 {answer{200, sse, "retry: 50\ndata: a\n\nretry: soon\nretry: -1\nretry: 99999999999\n\nretry:70\n\n"}, []session.Event{message("a", "", 50), ended("", 70)}},
		"unknown field":         {answer{200, sse, "colour: red\ndatum: x\ndata: a\n\n"}, []session.Event{message("a", "", 0), ended("", 0)}},
		"last event not ended":  {answer{200, sse, "id: 1\ndata: a\n\nid: 2\ndata: {\ndata: }\n"}, []session.Event{message("a", "1", 0), message("{\n}", "2", 0), ended("2", 0)}},
		"last event cut":        {answer{200, sse, "id: 1\ndata: a\n\nid: 2\ndata: {\n"}, []session.Event{message("a", "1", 0), ended("1", 0)}},
		"last event cut early":  {answer{200, sse, "id: 1\ndata: a\n\nid: 2\n"}, []session.Event{message("a", "1", 0), ended("1", 0)}},
		"last line not ended":   {answer{200, sse, "id: 1\ndata: a\n\nid: 2\ndata: {\"half"}, []session.Event{message("a", "1", 0), ended("1", 0)}},
		"last line without end": {answer{200, sse, "id: 1\ndata: a\n\nid: 2\ndata: {\ndata:}"}, []session.Event{message("a", "1", 0), message("{\n}", "2", 0), ended("2", 0)}},
		"JSON as a stream":      {answer{200, sse, "{\n\n}"}, []session.Event{last(200, "{\n\n}")}},
		"a batch as a stream":   {answer{200, sse, "[{}]"}, []session.Event{last(200, "[{}]")}},
		"id for later events":   {answer{200, sse, "id: 1\n\ndata: a\n\nid\ndata: b\n\n"}, []session.Event{message("a", "1", 0), message("b", "", 0), ended("", 0)}},
		"many short events":     {answer{200, sse, strings.Repeat("data: 0123456789\n\n", 50)}, append(repeated(message("0123456789", "", 0), 50), ended("", 0))},
		"long event": {answer{200, sse, "data: a\n\ndata: " + strings.Repeat("x", 101) + "\n\n"}, []session.Event{message("a", "", 0),
			failed("an event is longer than 100 bytes (MaxMessage)")}},
		"long event of many lines": {answer{200, sse, strings.Repeat("data: 0123456789\n", 10) + "\n"}, []session.Event{failed("an event is longer than 100 bytes (MaxMessage)")}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answerWith(tt.answer))
			defer server.Close()
			got := exchange(t, &parley.StreamableHTTP{URL: server.URL, MaxMessage: 100}, session.Post{Exchange: 7})
			if !reflect.DeepEqual(inEnglish(got), tt.want) {
				t.Errorf("got  %s\nwant %s", spell(got), spell(tt.want))
			}
		})
	}
}

func repeated(ev session.Event, n int) (all []session.Event) {
	for range n {
		all = append(all, ev)
	}
	return all
}

func spell(events []session.Event) string {
	text := ""
	for _, ev := range events {
		if m, ok := ev.(session.Message); ok {
			text += fmt.Sprintf("\n  Message %q %+v", m.Body, ev)
		} else {
			text += fmt.Sprintf("\n  %T %+v", ev, ev)
		}
	}
	return text
}

// What goes out is what the session says, and no more.
func TestStreamableRequests(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = fmt.Sprint(r.Method, " ", r.Header["Accept"], r.Header["Last-Event-Id"], r.Header["Cookie"], r.Header["Origin"], " ", string(body))
	}))
	defer server.Close()
	headers := []session.Header{{Name: "Accept", Value: "text/event-stream"}, {Name: "Last-Event-ID", Value: "5_0"}}
	for want, a := range map[string]session.Action{
		`POST [text/event-stream] [5_0] [] [] {"x":1}`: session.Post{Exchange: 1, Headers: headers, Body: []byte(`{"x":1}`)},
		`GET [text/event-stream] [5_0] [] [] `:         session.Listen{Exchange: 2, Headers: headers},
		`DELETE [text/event-stream] [5_0] [] [] `:      session.Delete{Exchange: 3, Headers: headers},
	} {
		if exchange(t, &parley.StreamableHTTP{URL: server.URL}, a); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Answers, authorization and requestState go to the server the host named, and
// nowhere else, unless the host has said what to do with redirects.
func TestStreamableRedirects(t *testing.T) {
	checkRedirects(t, func(t *testing.T, url string, client *http.Client) int {
		got := exchange(t, &parley.StreamableHTTP{URL: url, Client: client}, session.Post{Exchange: 1, Body: []byte("{}")})
		ended, ok := got[0].(session.Ended)
		if !ok {
			t.Errorf("got %s", spell(got))
		}
		return ended.Status
	})
}

// checkRedirects holds post, which returns an HTTP status, against a server
// that redirects with every status that asks for the same elsewhere.
func checkRedirects(t *testing.T, post func(t *testing.T, url string, client *http.Client) int) {
	for _, status := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		for name, tt := range map[string]struct {
			client *http.Client
			want   int
		}{
			"no client":           {nil, status},
			"zero client":         {&http.Client{}, status},
			"authorizing client":  {&http.Client{Transport: bearer("alice")}, status},
			"client that follows": {&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}, http.StatusAccepted},
		} {
			t.Run(fmt.Sprint(name, " ", status), func(t *testing.T) {
				reached := false
				elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					reached = true
					w.WriteHeader(http.StatusAccepted)
				}))
				defer elsewhere.Close()
				server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
				defer server.Close()
				if got := post(t, server.URL, tt.client); got != tt.want {
					t.Errorf("status: got %d, want %d", got, tt.want)
				}
				if reached != (tt.want == http.StatusAccepted) {
					t.Errorf("the request went where the redirect pointed: got %v", reached)
				}
				if tt.client != nil && tt.want == status && tt.client.CheckRedirect != nil {
					t.Error("the host's client was changed")
				}
			})
		}
	}
}

// Where there was no connection nothing was sent; where one broke, it is not
// known. The words for a person do not repeat the URL.
func TestStreamableFailures(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	breaks := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer breaks.Close()
	half := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "id: 1\ndata: a\n\nid: 2\ndata: {}\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer half.Close()
	tests := map[string]struct {
		url    string
		unsent bool
		events int
		id     string
	}{
		"nothing listens": {closed.URL, true, 1, ""},
		"no such host":    {"http://host.invalid", true, 1, ""},
		"no url":          {"http://bad host", true, 1, ""},
		"breaks":          {breaks.URL, false, 1, ""},
		"breaks in event": {half.URL, false, 2, "1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := exchange(t, &parley.StreamableHTTP{URL: tt.url + "/?token=secret"}, session.Post{Exchange: 3})
			if len(got) != tt.events {
				t.Fatalf("got %s, want %d events", spell(got), tt.events)
			}
			ended, ok := got[len(got)-1].(session.Ended)
			if !ok || ended.Exchange != 3 || ended.Unsent != tt.unsent || ended.Reason == "" || ended.EventID != tt.id {
				t.Errorf("got %s", spell(got))
			}
			if strings.Contains(ended.Reason.String(), "secret") {
				t.Errorf("the reason tells the URL: %s", ended.Reason)
			}
		})
	}
}

// bearer is a user's token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

type panics struct{}

func (panics) RoundTrip(*http.Request) (*http.Response, error) { panic("boom") }

func TestStreamableClientPanics(t *testing.T) {
	got := exchange(t, &parley.StreamableHTTP{URL: "http://peer", Client: &http.Client{Transport: panics{}}}, session.Post{Exchange: 3})
	wantEvents(t, got, session.Ended{Exchange: 3, Reason: "the HTTP client panicked"})
}

// An exchange whose context ends is given up, wherever it is.
func TestStreamableAborted(t *testing.T) {
	for name, begun := range map[string]bool{"before an answer": false, "in a stream": true} {
		t.Run(name, func(t *testing.T) {
			gone := make(chan struct{})
			at := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if begun {
					w.Header().Set("Content-Type", "text/event-stream")
					w.(http.Flusher).Flush()
				}
				io.ReadAll(r.Body)
				close(at)
				<-r.Context().Done()
				close(gone)
			}))
			defer server.Close()
			ctx, cancel := context.WithCancel(t.Context())
			transport := &parley.StreamableHTTP{URL: server.URL}
			transport.Perform(ctx, session.Post{Exchange: 1}, newReports().report)
			<-at
			cancel()
			<-gone
			transport.Close()
		})
	}
}

// A long event takes memory by its length, not by its square: the server decides
// how long it is, and how many pieces it comes in.
func TestStreamableLongEvent(t *testing.T) {
	const long, pieces = 16 << 20, 4 << 10
	text := strings.Repeat("x", long)
	got := hosttest.Streamed(t, iotest.OneByteReader(strings.NewReader("id: 1\n")))
	if got != nil {
		t.Errorf("got %q", got)
	}
	stream := &small{r: strings.NewReader("data: " + text + "\n\n"), most: pieces}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got = hosttest.Streamed(t, stream)
	runtime.ReadMemStats(&after)
	if len(got) != 1 || got[0] != "|"+text {
		t.Errorf("got %d events", len(got))
	}
	if most := long/pieces + 4; stream.reads > most {
		t.Errorf("%d reads of %d bytes each, want at most %d", stream.reads, pieces, most)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 16*long {
		t.Errorf("an event of %d bytes took %d bytes of memory altogether", long, took)
	}
}

// small reads a little at a time.
type small struct {
	r           io.Reader
	most, reads int
}

func (s *small) Read(b []byte) (int, error) {
	s.reads++
	return s.r.Read(b[:min(len(b), s.most)])
}
