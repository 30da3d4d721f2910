package gosdk_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// A small answer that unpacks to much is bounded by an HTTP client that unpacks
// nothing: then the call is in doubt. What was allocated is counted.
func TestOverGzip(t *testing.T) {
	const unpacked = 128 << 20
	var packed bytes.Buffer
	packer, piece := gzip.NewWriter(&packed), strings.Repeat(" ", 1<<20)
	for range unpacked >> 20 {
		io.WriteString(packer, piece)
	}
	packer.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, id, _ := strings.Cut(string(body), `"id":`)
		id, _, _ = strings.Cut(id, ",")
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(string(body), `"server/discover"`) {
			io.WriteString(w, `{"jsonrpc":"2.0","id":`+id+`,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed.Bytes())
	}))
	defer server.Close()
	through := http.DefaultTransport.(*http.Transport).Clone()
	through.DisableCompression = true
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	shared := gosdk.Over(client)
	connection, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL, HTTPClient: &http.Client{Transport: through}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	session, err := parley.NewSession(parley.Native{}, shared.Carry(connection), parley.SessionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = callOver(t.Context(), session, `{"name":"t"}`)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, fault.InDoubt) || grown > unpacked/8 {
		t.Errorf("got %v, and %d MiB allocated for an answer of %d MiB", err, grown>>20, unpacked>>20)
	}
}
