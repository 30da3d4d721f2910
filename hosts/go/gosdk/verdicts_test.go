package gosdk_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/internal/testkit/failures"
)

// A call over the SDK's client is told the same of an answer as one over a
// transport of the host's own, or that it is in doubt.
func TestOverVerdicts(t *testing.T) {
	cases, err := failures.Read("../../testdata/verdicts")
	if err != nil {
		t.Fatal(err)
	}
	server, err := failures.Serve(cases)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for _, c := range cases {
		if c.HTTP == nil {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			text, got := verdictOver(t, strings.TrimSuffix(server.At[c.Name].URL, "/mcp")+failures.Over, c)
			if want := c.AtOver("go"); got != want {
				t.Errorf("got %s, want %s: %s", got, want, text)
			}
			if strings.Contains(text, "s3cret") {
				t.Errorf("the words tell the URL: %s", text)
			}
		})
	}
}

func verdictOver(t *testing.T, url string, c failures.Case) (text, verdict string) {
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	shared := gosdk.Over(client)
	through := &http.Transport{}
	defer through.CloseIdleConnections()
	connection, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: through}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	session, err := parley.NewSession(parley.Native{}, shared.Carry(connection), parley.SessionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	opts := engine.Options{LegTimeout: time.Duration(c.Timeout) * time.Millisecond}
	if c.AtOver("go") == "late" {
		opts.LegTimeout = 300 * time.Millisecond // nothing ever comes
	}
	_, err = session.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"pay","arguments":{}}`), Options: opts})
	if err == nil {
		return "", "done"
	}
	var failed *parley.Error
	var status *parley.StatusError
	switch {
	case !errors.As(err, &failed):
		verdict = "no error of a call"
	case failed.Code == fault.LegTimeout && c.Timeout == 0:
		verdict = "late"
	case failed.InDoubt:
		verdict = "in doubt"
	case failed.Code == fault.RPC:
		verdict = "answered"
	case failed.Code == fault.Malformed:
		verdict = "unusable"
	case errors.As(err, &status):
		verdict = "refused"
	case failed.Code == fault.Lost:
		verdict = "not sent"
	}
	return err.Error(), verdict
}
