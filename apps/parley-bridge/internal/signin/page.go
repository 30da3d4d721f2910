package signin

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"html/template"
	"net/http"
	"strings"
	"time"
)

// callbackName is the page that the browser comes back to.
const callbackName = "callback"

const (
	maxForm      = 16 << 10 // bytes
	cookiePrefix = "parley-bridge-"
)

// ServeHTTP implements [http.Handler], for what is below [Path]. Whoever calls it
// has checked the Host header.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, Path)
	switch {
	case name == callbackName && r.Method == http.MethodGet:
		d.back(w, r)
	case r.Method == http.MethodGet, r.Method == http.MethodHead:
		if v := d.find(w, name); v != nil {
			d.opened(w, v)
		}
	case r.Method == http.MethodPost:
		if v := d.find(w, name); v != nil {
			d.pressed(w, r, v)
		}
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "there is GET and POST", http.StatusMethodNotAllowed)
	}
}

// find is a page that is waited for, or says that there is none.
func (d *Desk) find(w http.ResponseWriter, nonce string) *visit {
	d.mu.Lock()
	v := d.visits[nonce]
	used := v != nil && v.used
	d.mu.Unlock()
	switch {
	case v == nil:
		write(w, http.StatusNotFound, sheet{Title: "This page is over", Text: "It is good for one sign-in, and for a few minutes. If something still needs the server, do it again: you are asked again."})
		return nil
	case used:
		write(w, http.StatusGone, sheet{Title: "This page was used", Text: "The sign-in goes on in the window where somebody went on from here. If that is closed, do again what needs the server."})
		return nil
	}
	return v
}

// opened is the page at first: for a user, it says nothing yet.
func (d *Desk) opened(w http.ResponseWriter, v *visit) {
	if d.o.User != nil {
		write(w, http.StatusOK, sheet{Title: "Sign in", Text: "This page is for one user of this bridge.", Token: true})
		return
	}
	d.details(w, v)
}

// details say what the person agrees to.
func (d *Desk) details(w http.ResponseWriter, v *visit) {
	t := v.try
	write(w, http.StatusOK, sheet{
		Title: "Sign in to " + t.host(), User: t.account.user, Server: t.host(), Scopes: t.page.Scopes, Host: t.page.Host, Next: v.next,
		Before: hostOf(t.moved.Account.Issuer),
	})
}

// pressed takes what the page sent: the user's token, or that the person goes on.
func (d *Desk) pressed(w http.ResponseWriter, r *http.Request, v *visit) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case r.ParseForm() != nil:
		http.Error(w, "the form cannot be read", http.StatusBadRequest)
	case site != "" && site != "same-origin" && site != "none":
		http.Error(w, "this is not sent from other pages", http.StatusForbidden)
	case r.PostForm.Has("next"):
		d.goOn(w, r, v)
	case d.o.User != nil && r.PostForm.Has("token"):
		user := d.o.User(r.PostForm.Get("token"))
		if user == "" || user != v.try.account.user {
			write(w, http.StatusForbidden, sheet{Title: "This page is not for you", Token: true,
				Text: "It is for the user of this bridge whose program asked for it. If somebody sent it to you, close it: you would sign in for them."})
			return
		}
		d.details(w, v)
	default:
		http.Error(w, "the form is not this page's", http.StatusBadRequest)
	}
}

// goOn leads to the authorization server, once. The browser is remembered, so
// that no other one can bring the answer.
//
// Source: MCP 2026-07-28, client/elicitation, Phishing: the server must verify
// that who finishes is who began.
func (d *Desk) goOn(w http.ResponseWriter, r *http.Request, v *visit) {
	t := v.try
	browser := rand.Text()
	d.mu.Lock()
	fits := subtle.ConstantTimeCompare([]byte(v.next), []byte(r.PostForm.Get("next"))) == 1
	first := fits && !v.used
	if first {
		v.used = true
		t.browsers[sha256.Sum256([]byte(browser))] = true
		t.timer.Reset(d.o.Life)
	}
	d.mu.Unlock()
	if !first {
		write(w, http.StatusForbidden, sheet{Title: "This page was used", Text: "It leads on once, from what it shows."})
		return
	}
	t.keep()
	http.SetCookie(w, d.cookie(t, browser, int(d.o.Life/time.Second)))
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, t.page.URL, http.StatusSeeOther)
}

// back takes the authorization server's answer from the browser that was sent
// there.
func (d *Desk) back(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	t := d.tries[r.URL.Query().Get("state")]
	known := false
	if t != nil {
		if cookie, err := r.Cookie(cookiePrefix + t.id); err == nil {
			known = t.browsers[sha256.Sum256([]byte(cookie.Value))]
			t.back = t.back || known
		}
	}
	d.mu.Unlock()
	if !known {
		write(w, http.StatusBadRequest, sheet{Title: "This page is not expected",
			Text: "It does not belong to a sign-in that this browser began here. Nothing was done. If somebody sent you here, close it."})
		return
	}
	http.SetCookie(w, d.cookie(t, "", -1))
	d.callback.ServeHTTP(w, r)
}

func (d *Desk) cookie(t *try, value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: cookiePrefix + t.id, Value: value, MaxAge: seconds, Path: d.base.Path + Path, HttpOnly: true, Secure: d.base.Scheme == "https",
		SameSite: http.SameSiteLaxMode, // it has to come along from the authorization server's page
	}
}

// sheet is what a page says.
type sheet struct {
	Title, Text  string
	Token        bool // it wants the user's token
	User, Server string
	Scopes       []string
	Host         string // of the authorization server
	Before       string // of the one before, if it is another
	Next         string // leads there
}

func write(w http.ResponseWriter, status int, s sheet) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	// No form-action: browsers would hold to it wherever the authorization
	// server sends a person on to.
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'")
	w.WriteHeader(status)
	sheets.Execute(w, s) // it fails if the browser is gone
}

var sheets = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{.Title}}</title>
<style>
:root { color-scheme: light dark }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem }
dt { font-size: .9rem; opacity: .75 }
dd { margin: 0 0 .8rem; overflow-wrap: anywhere }
strong { font-size: 1.2rem }
button, input { font: inherit; padding: .4rem 1rem }
</style>
<h1>{{.Title}}</h1>
{{with .Text}}<p>{{.}}</p>
{{end}}{{if .Token}}<form method="post">
<p><label>Your token for this bridge<br><input type="password" name="token" autocomplete="current-password" required autofocus></label>
<p><button>Go on</button>
</form>
{{end}}{{if .Next}}<p>A program that uses this bridge{{with .User}} as <b>{{.}}</b>{{end}} needs it. The bridge keeps the account{{if .User}} and uses it for this user only{{end}}.
Go on only if you have just done something that needs this server.</p>
<dl>
<dt>Server</dt><dd>{{.Server}}</dd>
<dt>For</dt><dd>{{range $i, $s := .Scopes}}{{if $i}}, {{end}}<code>{{$s}}</code>{{else}}what the server gives without being asked for more{{end}}</dd>
<dt>You sign in at</dt><dd><strong>{{.Host}}</strong>{{with .Before}}<br>
The server had people sign in at <b>{{.}}</b> before. What you began with the account there continues with the new one.{{end}}</dd>
</dl>
<form method="post">
<input type="hidden" name="next" value="{{.Next}}">
<p><button>Go on to {{.Host}}</button>
</form>
{{end}}`))
