package gosdk_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// The client follows a 307 with what the call holds, unless its HTTP client is
// told not to: then the call is in doubt.
func TestOverRedirect(t *testing.T) {
	moved := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		result := `{"resultType":"complete","content":[]}`
		switch {
		case strings.Contains(string(body), `"server/discover"`):
			result = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
		case r.URL.Path != "/moved":
			http.Redirect(w, r, "/moved", http.StatusTemporaryRedirect)
			return
		default:
			moved++
		}
		_, id, _ := strings.Cut(string(body), `"id":`)
		id, _, _ = strings.Cut(id, ",")
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":`+id+`,"result":`+result+`}`)
	}))
	defer server.Close()
	for _, stays := range []bool{false, true} {
		through := &http.Client{}
		if stays {
			through.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		shared := gosdk.Over(client)
		connection, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL, HTTPClient: through}, nil)
		if err != nil {
			t.Fatal(err)
		}
		session, err := parley.NewSession(parley.Native{}, shared.Carry(connection), parley.SessionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = callOver(t.Context(), session, `{"name":"t"}`)
		if stays && !errors.Is(err, fault.InDoubt) || !stays && err != nil {
			t.Errorf("a client that stays %v: got %v", stays, err)
		}
		session.Close()
		connection.Close()
	}
	if moved != 1 {
		t.Errorf("followed: got %d, want 1", moved)
	}
}
