package main

import (
	"context"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// urlQuestion is the params of ask/url.
type urlQuestion struct {
	about
	URL      string   `json:"url"`   // plain ASCII, as the engine has checked
	Parts    []string `json:"parts"` // the URL as what is before its host, the host, and the rest: the host is to stand out
	Loopback bool     `json:"loopback,omitempty"`
	Punycode bool     `json:"punycode,omitempty"`
	Repeat   bool     `json:"repeat,omitempty"` // accepted before: nothing is to be opened by itself
}

// openURL asks for consent to open a page, which the editor does: what the
// person does there is between them and the page.
func (c *call) openURL(ctx context.Context, q parley.Question) ([]byte, error) {
	shown := urlQuestion{about: c.about(q), URL: jsontext.Text(q.Params, "url"), Loopback: q.Loopback, Punycode: q.Punycode, Repeat: q.Repeat}
	shown.Parts = aroundHost(shown.URL, q.Host)
	return c.put(ctx, q, shown.Ask, "ask/url", shown, func(*answerParams) ([]byte, error) {
		return []byte(`{"action":"accept"}`), nil
	})
}

// aroundHost cuts an address at its host, which comes right after the scheme:
// the engine lets no user name through.
func aroundHost(url, host string) []string {
	start := strings.Index(url, "://") + len("://")
	if end := start + len(host); end <= len(url) && strings.EqualFold(url[start:end], host) {
		return []string{url[:start], url[start:end], url[end:]}
	}
	return []string{url, "", ""}
}
