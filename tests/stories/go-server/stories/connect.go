package stories

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connectPath is where the pages of connect_account are.
const connectPath = "/connect/"

// addConnect adds connect_account: a question that opens a page. What the
// person does there reaches the server without passing the client, which is
// what this mode is for; until then the same address is asked for again.
func addConnect(d *desk) {
	addTool(d, &mcp.Tool{
		Name:        "connect_account",
		Title:       "Connect an account",
		Description: "Has the user confirm on a page of this server that an account may be connected.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"account": {"type": "string", "minLength": 1, "maxLength": 100, "default": "calendar"}}
		}`),
	}, d.connect)
}

type connectArgs struct {
	Account string `json:"account"`
}

type connectFacts struct {
	Token string `json:"token"`
}

func (d *desk) connect(in connectArgs, r round) reply {
	var known connectFacts
	if r.recall(&known); known.Token == "" {
		if d.pages == nil || r.base == "" {
			return refuse("No account can be connected: this server has no address for its page.")
		}
		known.Token = d.pages.open(in.Account)
		return r.ask(known, page{"connect", connectMessage(in), r.base + connectPath + known.Token})
	}
	res, _ := r.answers["connect"].(*mcp.ElicitResult)
	switch {
	case res != nil && res.Action == "decline":
		return refuse("Nothing was connected: the user declined.")
	case res != nil && res.Action == "cancel":
		return refuse("Nothing was connected: the user cancelled.")
	case d.pages.isDone(known.Token):
		return answer("Your %s account is connected.", in.Account)
	case res != nil && res.Action == "accept":
		r.last.Tries = 0 // somebody is at it: that is no useless answer
	}
	return r.ask(known, page{"connect", connectMessage(in), r.base + connectPath + known.Token})
}

func connectMessage(in connectArgs) string {
	return fmt.Sprintf("Confirm on our page that your %s account may be connected.", in.Account)
}

// page is an elicitation/create question in url mode.
type page struct{ name, message, url string }

func (p page) key() string { return p.name }

func (p page) request(bool) mcp.InputRequest {
	return &mcp.ElicitParams{Mode: "url", Message: p.message, URL: p.url}
}

// pages are the pages that were asked for, by token. They are the one thing
// that this server keeps between rounds: a requestState cannot learn what
// happens in a browser.
type pages struct {
	ttl time.Duration
	now func() time.Time

	mu     sync.Mutex
	byName map[string]*visit
}

type visit struct {
	account string
	expires time.Time
	done    bool
}

// maxPages bounds the memory that clients can take.
const maxPages = 10_000

func newPages(ttl time.Duration, now func() time.Time) *pages {
	return &pages{ttl: ttl, now: now, byName: map[string]*visit{}}
}

// open makes a page with a name that nobody can guess.
func (p *pages) open(account string) (token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for token, v := range p.byName {
		if p.now().After(v.expires) || len(p.byName) >= maxPages {
			delete(p.byName, token)
		}
	}
	token = rand.Text()
	p.byName[token] = &visit{account: account, expires: p.now().Add(p.ttl)}
	return token
}

func (p *pages) isDone(token string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.byName[token]
	return v != nil && v.done
}

// visit is a page that is not too old, and marks it done if that is asked for.
func (p *pages) visit(token string, done bool) (visit, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.byName[token]
	if v == nil || p.now().After(v.expires) {
		return visit{}, false
	}
	v.done = v.done || done
	return *v, true
}

// ServeHTTP shows a page. Only its button, a POST, connects: what loads a page
// ahead of the person does not press it.
func (p *pages) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet && req.Method != http.MethodPost {
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "GET or POST", http.StatusMethodNotAllowed)
		return
	}
	v, ok := p.visit(req.URL.Path[len(connectPath):], req.Method == http.MethodPost)
	if !ok {
		http.Error(w, "This page is not there, or no more.", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address is a secret
	connectPage.Execute(w, map[string]any{"Account": v.account, "Done": v.done})
}

var connectPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta name="viewport" content="width=device-width"><title>Connect an account</title>
{{if .Done}}<p>Your {{.Account}} account is connected. You can close this page and go back.
{{else}}<form method="post"><p>Shall your {{.Account}} account be connected? <button>Connect</button></form>
{{end}}</html>
`))

// loopbackBase is the address of this server as a client on the same machine
// called it, "" for any other: what stands in a Host header is the client's.
func loopbackBase(host string) string {
	name := (&url.URL{Host: host}).Hostname()
	if ip := net.ParseIP(name); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return ""
	}
	return "http://" + host
}
