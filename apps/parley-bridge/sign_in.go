package main

import (
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// signInFlags are those about signing in to the server.
type signInFlags struct {
	publicURL        string
	clientID         string
	clientSecretFile string
	callbackPort     int
	stateDir         string
}

func (c *command) signInGroup() flags.Group {
	f := &c.signIn
	return flags.Group{
		Text: "Signing in at URL:\n",
		Flags: []flags.Flag{
			{Name: "public-url", Value: "URL", To: &f.publicURL, Text: "where browsers reach the bridge to sign in, if not where it listens"},
			{Name: "client-id", Value: "ID", To: &f.clientID,
				Text: "of a client registered with the server's authorization server, whose redirect URI is /sign-in/callback of the bridge"},
			{Name: "client-secret-file", Value: "FILE", To: &f.clientSecretFile, Text: "the secret of that client"},
			{Name: "callback-port", Value: "PORT", To: &f.callbackPort,
				Text: "without --listen: the port on 127.0.0.1 of the pages to sign in (default: any)"},
			{Name: "state-dir", Value: "DIR", To: &f.stateDir, Text: "where accounts are kept, sealed (default: where parley keeps its own)"},
		},
		Check: c.checkSignIn,
	}
}

// checkSignIn looks at these flags and their combinations.
func (c *command) checkSignIn() error {
	f := &c.signIn
	switch {
	case *f != (signInFlags{}) && (c.URL == "" || c.bearerFile != ""):
		return errors.New("--public-url, --client-id, --client-secret-file, --callback-port and --state-dir are for signing in to a URL: " +
			"not with a command, nor with --bearer-file")
	case f.clientSecretFile != "" && f.clientID == "":
		return errors.New("--client-secret-file needs the --client-id that the secret is of")
	case f.callbackPort < 0 || f.callbackPort > 65535:
		return errors.New("--callback-port is not a port")
	case f.callbackPort != 0 && c.listen != "":
		return errors.New("--callback-port is for a bridge without --listen")
	case f.publicURL == "":
		return nil
	case c.listen == "":
		return errors.New("--public-url needs --listen")
	}
	u, err := url.Parse(f.publicURL)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Host)) {
		return errors.New("--public-url is an https URL, such as https://bridge.example.com: codes to sign in with come there")
	}
	return nil
}

// baseOf is where browsers reach the bridge, "" if that is not known.
func (c *command) baseOf(addr *net.TCPAddr) string {
	switch {
	case c.signIn.publicURL != "":
		return strings.TrimSuffix(c.signIn.publicURL, "/")
	case addr.IP.IsLoopback():
		return "http://" + addr.String()
	}
	return ""
}

// publicHost is the Host header of browsers that come by the public URL.
func (c *command) publicHost() []string {
	u, err := url.Parse(c.signIn.publicURL)
	if err != nil || u.Host == "" {
		return nil
	}
	return []string{u.Host}
}

// desk is where users sign in, nil where nobody does.
func (c *command) desk(base string, users users, log *slog.Logger) (*signin.Desk, error) {
	if c.URL == "" || c.bearerFile != "" {
		return nil, nil
	}
	o := signin.Options{URL: c.URL, Store: c.accounts(log), ClientID: c.signIn.clientID, Base: base, Login: c.loginLine()}
	if users != nil {
		o.User = users.of
	}
	if c.signIn.clientSecretFile != "" {
		var err error
		if o.ClientSecret, err = readOne(c.signIn.clientSecretFile); err != nil {
			return nil, fmt.Errorf("--client-secret-file: %w", err)
		}
	}
	return signin.New(o)
}

// accounts is where they are kept: in the same place as the program parley's, so
// that its commands about accounts are about these too.
func (c *command) accounts(log *slog.Logger) oauth.Store {
	dir := c.signIn.stateDir
	if dir == "" {
		var err error
		if dir, err = saved.UsualDir(); err != nil {
			log.Warn("accounts end with this process", "why", err.Error())
			return nil
		}
	}
	return account.Store(dir)
}

// stdioDesk is the desk of a bridge that serves one client, with its pages on
// this machine. Without a port for them a token that is kept can still be used.
func (c *command) stdioDesk(log *slog.Logger) (desk *signin.Desk, end func(), err error) {
	if c.URL == "" || c.bearerFile != "" {
		return nil, func() {}, nil
	}
	base := ""
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.signIn.callbackPort)))
	switch {
	case err == nil:
		base = "http://" + l.Addr().String()
	case c.signIn.callbackPort != 0:
		return nil, nil, fmt.Errorf("--callback-port %d: %w: end what uses that port, or have another one registered", c.signIn.callbackPort, err)
	default:
		log.Warn("nobody can sign in to the server", "why", err.Error())
	}
	desk, err = c.desk(base, nil, log)
	if err != nil || l == nil {
		if l != nil {
			l.Close()
		}
		return desk, func() {}, err
	}
	mux := http.NewServeMux()
	mux.Handle(signin.Path, (&access{loopback: true}).guardHost(desk))
	web := pages(mux)
	go web.Serve(l)
	return desk, func() { desk.Close(); web.Close() }, nil
}

// pages serves the pages to sign in alone. What strangers send belongs in no log.
func pages(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: stdlog.New(io.Discard, "", 0),
	}
}
