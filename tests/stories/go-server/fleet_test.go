package main_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/tests/interop"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// fleet is instances of the server that share a key file and nothing else,
// behind a proxy that gives each request to the next one.
type fleet struct {
	t         *testing.T
	url       string
	keys      string // the key file
	instances []*instance
}

type instance struct {
	url    string
	codec  *seal.SwapCodec
	served atomic.Int64
}

func newFleet(t *testing.T, o stories.Options) *fleet {
	t.Helper()
	f := &fleet{t: t, keys: filepath.Join(t.TempDir(), "keys")}
	first, err := seal.GenerateKey(codec.SuiteXChaCha)
	if err != nil {
		t.Fatal(err)
	}
	if err := seal.CreateKeyFile(f.keys, first); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		i := &instance{codec: seal.NewSwapCodec(f.load())}
		o.Codec = i.codec
		handler := stories.Handler(o)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			i.served.Add(1)
			handler.ServeHTTP(w, req)
		}))
		t.Cleanup(srv.Close)
		i.url = srv.URL
		f.instances = append(f.instances, i)
	}
	var turn atomic.Int64
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		next, _ := url.Parse(f.instances[int(turn.Add(1))%len(f.instances)].url)
		r.SetURL(next)
		interop.PassWhole(r)
	}})
	t.Cleanup(proxy.Close)
	f.url = proxy.URL
	return f
}

// load is a codec of the key file as it stands.
func (f *fleet) load() codec.Codec {
	f.t.Helper()
	ring, err := seal.LoadKeyFile(f.keys)
	if err != nil {
		f.t.Fatal(err)
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	return aead
}

// change takes a step of a rotation: the file first, then one instance after the
// other, with meanwhile in between.
func (f *fleet) change(edit func([]byte) ([]byte, error), meanwhile func()) {
	f.t.Helper()
	if err := seal.UpdateKeyFile(f.keys, edit); err != nil {
		f.t.Fatal(err)
	}
	for _, i := range f.instances {
		meanwhile()
		i.codec.Swap(f.load())
	}
	meanwhile()
}

var (
	resolve      = tool("update_work_item", `{"id":7,"state":"Resolved"}`)
	isDuplicate  = `{"resolution":{"action":"accept","content":{"resolution":"Duplicate"}}}`
	ofThree      = `{"duplicate":{"action":"accept","content":{"original_id":3}}}`
	resolvedText = "Work item 7 is now Resolved as a duplicate of 3."
)

// TestFleet makes calls of several rounds. Every round is answered by another
// instance than asked the question.
func TestFleet(t *testing.T) {
	f := newFleet(t, stories.Options{})
	c := &client{t: t, url: f.url}
	const preferences = `{"preferences":{"action":"accept","content":{"start":"2026-12-01","days":2,"pace":"busy"}}}`
	const rest = `{"ideas":{"role":"assistant","model":"m","content":{"type":"text","text":"See the Forum."}},"folders":{"roots":[{"uri":"file:///a"}]}}`
	calls := map[string]struct {
		request request
		answers []string
		want    string
	}{
		"chain":       {resolve, []string{isDuplicate, ofThree}, resolvedText},
		"asked again": {resolve, []string{`{}`, isDuplicate, `{}`, ofThree}, resolvedText},
		"state only":  {tool("busy_report", `{"waits":4}`), []string{"", "", "", ""}, "The report is ready after 4 wait(s)."},
		"in parts": {tool("plan_trip", `{"destination":"Rome"}`), []string{preferences, rest},
			"2 busy days in Rome from 2026-12-01, kept in file:///a. See the Forum."},
		"straight code": {tool("book_room", `{"team":"Core"}`), []string{`{"elicitation-1":{"action":"accept","content":{"people":40}}}`,
			`{"elicitation-2":{"action":"decline"}}`}, "will not do."},
		"prompt": {request{"prompts/get", "code_review", `"name":"code_review"`}, []string{`{"review":{"action":"decline"}}`}, "Review this code for correctness."},
		"resource": {request{"resources/read", "parley://report/quarterly", `"uri":"parley://report/quarterly"`},
			[]string{`{"quarter":{"action":"decline"}}`}, "| Q4 | 1510 |"},
	}
	for name, tt := range calls {
		t.Run(name, func(t *testing.T) {
			before := [2]int64{f.instances[0].served.Load(), f.instances[1].served.Load()}
			res := c.post(tt.request, "", "")
			for i, answers := range tt.answers {
				if res.state() == "" {
					t.Fatalf("round %d: got %s, want a requestState", i+1, res.body)
				}
				res = c.post(tt.request, answers, res.state())
			}
			if !strings.Contains(res.text(), tt.want) {
				t.Errorf("got %s, want %q", res.body, tt.want)
			}
			legs := int64(len(tt.answers) + 1)
			a, b := f.instances[0].served.Load()-before[0], f.instances[1].served.Load()-before[1]
			if a+b != legs || a-b > 1 || b-a > 1 {
				t.Errorf("legs served: got %d and %d, want %d in turn", a, b, legs)
			}
		})
	}
}

// TestFleetRotation replaces the key in three steps while calls are made all the
// time. No round fails, not even of a call that a step came in the middle of.
func TestFleetRotation(t *testing.T) {
	f := newFleet(t, stories.Options{})
	oldKey := keyOf((&client{t: t, url: f.url}).post(resolve, "", "").state())

	var calls [4]atomic.Int64 // of each worker
	done := make(chan struct{})
	var workers sync.WaitGroup
	for w := range calls {
		workers.Go(func() {
			c := &client{t: t, url: f.url}
			for {
				select {
				case <-done:
					return
				default:
				}
				second := c.post(resolve, isDuplicate, c.post(resolve, "", "").state())
				if third := c.post(resolve, ofThree, second.state()); third.text() != resolvedText {
					t.Errorf("a call under load: got %s, want %q", third.body, resolvedText)
					return
				}
				calls[w].Add(1)
			}
		})
	}
	defer workers.Wait()
	defer close(done)
	// busy waits until every worker has ended the call it was at, and another.
	busy := func() {
		limit := time.Now().Add(3 * time.Minute)
		for w := range calls {
			for until := calls[w].Load() + 2; calls[w].Load() < until; time.Sleep(time.Millisecond) {
				if t.Failed() || time.Now().After(limit) {
					t.Fatal("a worker makes no calls any more")
				}
			}
		}
	}
	c := &client{t: t, url: f.url}
	// across begins a call before a step, goes on after it and returns the keys
	// its two states were minted with.
	across := func(step func()) (before, after string) {
		first := c.post(resolve, "", "")
		step()
		second := c.post(resolve, isDuplicate, first.state())
		if third := c.post(resolve, ofThree, second.state()); third.text() != resolvedText {
			t.Errorf("a call across a step: got %s, want %q", third.body, resolvedText)
		}
		return keyOf(first.state()), keyOf(second.state())
	}

	busy()
	var id codec.KeyID
	before, after := across(func() {
		f.change(func(file []byte) (changed []byte, err error) {
			changed, id, err = seal.AcceptKey(file, codec.SuiteXChaCha)
			return changed, err
		}, busy)
	})
	if before != oldKey || after != oldKey {
		t.Errorf("accepting a key: minted with %s and %s, want %s", before, after, oldKey)
	}
	newKey := fmt.Sprintf("%x", id)
	outlives := c.post(resolve, "", "").state()
	before, after = across(func() {
		f.change(func(file []byte) ([]byte, error) { return seal.ActivateKey(file, id) }, busy)
	})
	if before != oldKey || after != newKey {
		t.Errorf("activating it: minted with %s and %s, want %s and %s", before, after, oldKey, newKey)
	}
	// All calls that began before have ended: here because busy waited for them,
	// elsewhere because their states have expired.
	f.change(func(file []byte) ([]byte, error) { return seal.DropKey(file, f.minted(outlives)) }, busy)
	if got := c.post(resolve, isDuplicate, outlives); !strings.Contains(got.body, invalidState) {
		t.Errorf("a state that outlives its key: got %s, want %s", got.body, invalidState)
	}
}

// minted is the id of the key that minted a state.
func (f *fleet) minted(state string) (id codec.KeyID) {
	if _, err := hex.Decode(id[:], []byte(keyOf(state))); err != nil {
		f.t.Fatal(err)
	}
	return id
}

// TestFleetRefuses has both instances refuse, with one answer for every cause.
func TestFleetRefuses(t *testing.T) {
	now := newClock()
	users, err := stories.ReadUsers(strings.NewReader("ada token-of-ada-0123456789\nbob token-of-bob-0123456789\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := newFleet(t, stories.Options{Now: now.time, TTL: time.Hour, Users: users})
	ada := &client{t: t, url: f.url, token: "token-of-ada-0123456789"}
	bob := &client{t: t, url: f.url, token: "token-of-bob-0123456789"}
	state := ada.post(resolve, "", "").state()
	tampered := []byte(state)
	tampered[len(tampered)-3] ^= 1
	nothing := func() {}
	tests := map[string]struct {
		by      *client
		request request
		state   string
		before  func()
	}{
		"tampered":        {ada, resolve, string(tampered), nothing},
		"cut":             {ada, resolve, state[:40], nothing},
		"other tool":      {ada, tool("get_weather", `{"location":"Oslo"}`), state, nothing},
		"other arguments": {ada, tool("update_work_item", `{"id":8,"state":"Resolved"}`), state, nothing},
		"other method":    {ada, request{"prompts/get", "update_work_item", `"name":"update_work_item"`}, state, nothing},
		"other user":      {bob, resolve, state, nothing},
		"expired":         {ada, resolve, state, func() { now.advance(time.Hour) }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			start := now.time()
			tt.before()
			defer now.set(start)
			for range f.instances {
				got := tt.by.postAs(42, tt.request, isDuplicate, tt.state)
				want := `{"jsonrpc":"2.0","id":42,"error":` + invalidState + `}`
				if got.body != want || got.status != http.StatusBadRequest || got.media != "application/json" {
					t.Errorf("got %d %s %s, want 400 application/json %s", got.status, got.media, got.body, want)
				}
			}
		})
	}
	if got := ada.post(resolve, isDuplicate, state); got.state() == "" {
		t.Errorf("the same state, by whom it belongs to: got %s, want the next question", got.body)
	}
	nobody := &client{t: t, url: f.url, token: "token-of-eve-0123456789"}
	if got := nobody.status(resolve); got != http.StatusUnauthorized {
		t.Errorf("a stranger: got status %d, want %d", got, http.StatusUnauthorized)
	}
}

// TestSingleUse sends a state that costs money twice, to one instance.
func TestSingleUse(t *testing.T) {
	f := newFleet(t, stories.Options{SingleUse: []string{"provision_vm"}})
	here, there := &client{t: t, url: f.instances[0].url}, &client{t: t, url: f.instances[1].url}
	provision := tool("provision_vm", `{"size":"small"}`)
	yes := `{"confirm":{"action":"accept","content":{"confirm":true}}}`
	const provisioned = "Provisioned a small machine in westeurope with 1 data disk(s) and no tags for 17 EUR a month."

	state := here.post(provision, "", "").state()
	if got := here.post(provision, yes, state).text(); got != provisioned {
		t.Fatalf("got %q, want %q", got, provisioned)
	}
	if got := here.post(provision, yes, state); !strings.Contains(got.body, invalidState) {
		t.Errorf("again: got %s, want %s", got.body, invalidState)
	}
	if got := there.post(provision, yes, state).text(); got != provisioned {
		t.Errorf("the other instance, which does not know: got %q, want %q", got, provisioned)
	}
	if got := here.post(provision, yes, here.post(provision, "", "").state()).text(); got != provisioned {
		t.Errorf("another call: got %q, want %q", got, provisioned)
	}
	first := here.post(resolve, "", "").state()
	for range 2 {
		if got := here.post(resolve, isDuplicate, first); got.state() == "" {
			t.Errorf("another tool: got %s, want the next question", got.body)
		}
	}
}
