package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	maxAnswer    = 1_000_000        // bytes of one document or token answer; x/oauth2 stops, silently, a little later
	patience     = 30 * time.Second // for one request, unless the host's client is quicker
	maxRedirects = 3                // of metadata, within one origin
)

// web makes requests to hosts that a server named, and trusts neither.
type web struct {
	client *http.Client
	local  bool // the MCP server is on this machine: so may others be, and http is fine
}

func newWeb(server *url.URL, given *http.Client) *web {
	w := &web{client: &http.Client{}, local: isLoopback(server.Hostname())}
	var under http.RoundTripper
	if given != nil {
		under, w.client.Timeout = given.Transport, given.Timeout
		if under == nil {
			under = http.DefaultTransport
		}
	} else {
		under = newReach(server).transport()
	}
	if w.client.Timeout == 0 || w.client.Timeout > patience {
		w.client.Timeout = patience
	}
	w.client.Transport = bounded{under}
	w.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return w
}

// check parses a URL that a peer named, if it is one to send something to.
func (w *web) check(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "" || u.User != nil || len(address) > 2048 || strings.ContainsAny(address, " \t\r\n\\"):
		return nil, fmt.Errorf("%s is not a web address", quote(address))
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("%s is not https", quote(address))
	case u.Fragment != "":
		return nil, fmt.Errorf("%s has a fragment", quote(address))
	case isLoopback(u.Hostname()) && !w.local:
		return nil, fmt.Errorf("%s is on this machine, and the server is not", quote(address))
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, fmt.Errorf("%s is not https", quote(address))
	}
	return u, nil
}

// absent says that there is no document of the kind at an address.
type absent struct{ text string } // what the server answered, if that helps to find out why

func (a absent) Error() string { return "absent" + a.text }

// get reads a JSON document. Redirects stay within the origin.
func (w *web) get(ctx context.Context, at *url.URL, into any) error {
	for range maxRedirects + 1 {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
		if err != nil {
			return &Error{Code: ErrDiscovery, Text: fmt.Sprintf("%s cannot be asked for its metadata.", at.Host)}
		}
		request.Header.Set("Accept", "application/json")
		response, err := w.client.Do(request)
		if err != nil {
			return unreachable(ctx, at.Host, err)
		}
		if location := response.Header.Get("Location"); location != "" && response.StatusCode/100 == 3 {
			response.Body.Close()
			next, err := at.Parse(location)
			if err == nil {
				next, err = w.check(next.String())
			}
			if err != nil {
				return untrusted("%s sends requests for its metadata on to an address that is not safe: %v.", at.Host, err)
			}
			if origin(next) != origin(at) {
				return untrusted("%s sends requests for its metadata on to another host, %s. They were not sent there.", at.Host, quote(next.Host))
			}
			at = next
			continue
		}
		return read(ctx, response, at.Host, into)
	}
	return untrusted("%s redirects requests for its metadata again and again.", at.Host)
}

func read(ctx context.Context, response *http.Response, host string, into any) error {
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	status := response.StatusCode
	switch {
	case status != http.StatusOK:
		_, words := heard(kindOf(response), text, nil)
		if status >= 500 || status == http.StatusTooManyRequests {
			return &Error{Code: ErrUnreachable, Text: fmt.Sprintf("%s answers a request for its metadata with HTTP status %d.%s Try again later.", host, status, itSays(words))}
		}
		if status == http.StatusNotFound {
			return absent{}
		}
		return absent{fmt.Sprintf(" It answered with HTTP status %d.%s", status, itSays(words))}
	case err != nil:
		return unreachable(ctx, host, err)
	case json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), into) == nil:
		return nil
	case kindOf(response) == "application/json":
		return untrusted("the metadata of %s cannot be read: it is not the JSON it should be.", host)
	}
	return absent{} // such as a page that the server shows at every address
}

func kindOf(response *http.Response) string {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return kind
}

// unreachable is the error of a request that got no answer.
func unreachable(ctx context.Context, host string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var refused *insideError
	var dns *net.DNSError
	var timeout net.Error
	e := &Error{Code: ErrUnreachable, Err: bare(err)}
	switch {
	case errors.As(err, &refused):
		return untrusted("%s is an address in the private network, which a public server has no business naming. Nothing was sent there.", host)
	case errors.Is(err, errTooLong):
		return &Error{Code: ErrServer, Text: fmt.Sprintf("%s answered with more than %d MB, which is no answer to this request.", host, maxAnswer/1_000_000)}
	case errors.As(err, &timeout) && timeout.Timeout():
		e.Text = fmt.Sprintf("%s did not answer in time. Try again later.", host)
	case errors.As(err, &dns):
		e.Text = fmt.Sprintf("%s cannot be found. Check the network.", host)
	default:
		e.Text = fmt.Sprintf("there is no connection to %s: %v.", host, e.Err)
	}
	return e
}

// bare takes off the layer that repeats method and URL.
func bare(err error) error {
	if e := new(url.Error); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// bounded cuts answers off.
type bounded struct{ under http.RoundTripper }

var errTooLong = fmt.Errorf("the answer has more than %d bytes", maxAnswer)

func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.under.RoundTrip(request)
	if err == nil {
		response.Body = &boundedBody{ReadCloser: response.Body, left: maxAnswer}
	}
	return response, err
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLong
	}
	if len(p) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return n - 1, errTooLong
	}
	return n, err
}

func origin(u *url.URL) string { return u.Scheme + "://" + strings.ToLower(hostPort(u)) }

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// quote shows a peer's text within bounds.
func quote(text string) string {
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}
