package parley

import (
	"bytes"
	"crypto/x509"
	"errors"
	"github.com/parley-mcp/parley/sentence"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The words for a person here and those of hosts/js say the same: both are held
// to hosts/testdata/verdicts. None has a URL in it, which may hold a secret.

// bare is an error without the URL that net/http puts around it, and without a
// header field that it may quote, as that may be a cookie.
func bare(err error) error {
	var malformed textproto.ProtocolError
	if errors.As(err, &malformed) {
		return &saidError{"a header field of the server's answer is malformed"}
	}
	var of *url.Error
	if errors.As(err, &of) && of.Err != nil {
		return of.Err
	}
	return err
}

// checkURL refuses what no request can be sent to. The words of [url.Parse] may
// repeat a password.
func checkURL(text string) error {
	u, err := url.Parse(text)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" {
		if _, err = strconv.ParseUint(u.Port(), 10, 16); err == nil || u.Port() == "" {
			return nil
		}
	}
	return &saidError{"the server's URL cannot be used: it must begin with http:// or https:// and a host, as in https://example.com/mcp"}
}

// saidError is an error in words of ours, so that they can be translated.
type saidError struct{ sentence.Text }

func (e *saidError) Error() string { return e.String() }

// said is an error's text: as the sentence that it is, if it is one of ours.
func said(err error) sentence.Text {
	if ours, ok := err.(*saidError); ok {
		return ours.Text
	}
	return sentence.Value(err.Error())
}

// whyUnsent says why a request never reached the server. securing says that it
// is TLS that failed.
func whyUnsent(err error, securing bool) sentence.Text {
	if errors.Is(err, ErrUnsent) {
		return sentence.Value(wordsOf(err))
	}
	var way *net.OpError
	var name *net.DNSError
	peer := func(server, proxy sentence.Text) sentence.Text {
		if errors.As(err, &way) && way.Op == "proxyconnect" {
			return proxy
		}
		return server
	}
	switch {
	case errors.As(err, &name):
		return sentence.Say(peer("the name of the server cannot be looked up: {0}", "the name of the proxy cannot be looked up: {0}"), sentence.Value(name.Name))
	case errors.Is(err, syscall.ECONNREFUSED):
		return peer("the connection to the server was refused: is it running there?", "the connection to the proxy was refused: is it running there?")
	case errors.Is(err, http.ErrSchemeMismatch):
		return peer("the server does not speak TLS: is its URL one of http:// rather than https://?", "the proxy does not speak TLS: is its URL one of http:// rather than https://?")
	case certificateFault(err) != "":
		return sentence.Say(peer("the certificate of the server {0}", "the certificate of the proxy {0}"), certificateFault(err))
	case securing:
		return sentence.Say(peer("no secure connection to the server can be made: {0}", "no secure connection to the proxy can be made: {0}"), plain(err))
	case isTimeout(err):
		return peer("connecting to the server takes too long", "connecting to the proxy takes too long")
	}
	return sentence.Say(peer("no connection to the server can be made: {0}", "no connection to the proxy can be made: {0}"), plain(err))
}

// wordsOf are the host's own words in an error that wraps [ErrUnsent], before
// or behind it.
func wordsOf(err error) string {
	words := strings.ReplaceAll(err.Error(), "\n", ": ") // as errors.Join has it
	words = strings.TrimSuffix(strings.TrimPrefix(words, ErrUnsent.Error()+": "), ": "+ErrUnsent.Error())
	return strings.TrimPrefix(words, "parley: ")
}

// plain is an error without the addresses of the two sides.
func plain(err error) sentence.Text {
	var of *net.OpError
	if errors.As(err, &of) && of.Err != nil {
		err = of.Err
	}
	if err == io.EOF {
		return "it was closed"
	}
	return sentence.Value(err.Error())
}

// certificateFault is what is wrong with a certificate, "" if that is not it.
func certificateFault(err error) sentence.Text {
	var stranger x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &stranger):
		if c := stranger.Cert; c != nil && bytes.Equal(c.RawIssuer, c.RawSubject) {
			return "is self-signed"
		}
		return "is signed by an authority that is not trusted here"
	case errors.As(err, &host):
		return "is for another host"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		if invalid.Cert != nil && time.Now().Before(invalid.Cert.NotBefore) {
			return "is not valid yet"
		}
		return "has expired"
	case errors.As(err, &invalid):
		return sentence.About("is not valid: {0}", invalid.Error())
	}
	return ""
}

// whyLost says why a request that may have arrived has no answer.
func whyLost(err error) sentence.Text {
	var ours *saidError
	switch {
	case errors.As(err, &ours):
		return ours.Text
	case isTimeout(err):
		return "the server did not answer in time"
	case errors.Is(err, io.EOF):
		return "the server closed the connection without an answer"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the server broke the connection without an answer"
	}
	return sentence.Say("the connection to the server was lost: {0}", plain(err))
}

// whyCut says why an answer ended before it was whole.
func whyCut(err error) sentence.Text {
	var ours *saidError
	switch {
	case errors.As(err, &ours):
		return ours.Text
	case isTimeout(err):
		return "the server did not go on with its answer in time"
	}
	return "the connection broke before the answer was whole"
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// tooLong says that the server sent more than MaxMessage.
func tooLong(what sentence.Text, most int) error {
	return &saidError{sentence.Say("{0} is longer than {1} (MaxMessage)", what, sentence.Value(sized(most)))}
}

// sized is a number of bytes, as a person would say it.
func sized(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.Itoa(n>>10) + " KiB"
	}
	return strconv.Itoa(n) + " bytes"
}
