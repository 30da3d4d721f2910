// Command gosdk is a protected MCP server on the official Go SDK, with the
// SDK's own RequireBearerToken, which says nothing of an error in its challenge.
// ../README.md says what it offers.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

func main() {
	issuer := flag.String("issuer", "", "the authorization server")
	introspection := flag.String("introspection", "", "where it looks tokens up")
	id := flag.String("id", "", "the client that may look tokens up; SIGNIN_SECRET is its secret")
	openid := flag.Bool("openid", false, "name scopes in the metadata, not in challenges, and openid with them")
	legacy := flag.Bool("legacy", false, "speak 2025-11-25, with sessions, and ask by requests of the server's own")
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	origin := "http://" + listener.Addr().String()
	resource, metadata := origin+"/mcp", origin+"/.well-known/oauth-protected-resource/mcp"

	seen := &ledger{Counts: map[string]int{}}
	version := "2026-07-28"
	if *legacy {
		version = "2025-11-25"
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "signin-gosdk", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
	addTools(server, seen, *legacy)
	verifier := &lookup{url: *introspection, id: *id, secret: os.Getenv("SIGNIN_SECRET"), resource: resource, seen: seen}
	gate, offered := &auth.RequireBearerTokenOptions{ResourceMetadataURL: metadata, Scopes: []string{"work"}}, []string{"work", "deploy"}
	if *openid {
		gate.Scopes, offered = nil, []string{"openid", "work"}
	}
	protect := auth.RequireBearerToken(verifier.verify, gate)

	mux := http.NewServeMux()
	mux.Handle("/mcp", cors(seen.answers(protect(stepUp(metadata, mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: !*legacy}))))))
	mux.Handle("/.well-known/oauth-protected-resource/mcp", auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: resource, AuthorizationServers: []string{*issuer}, ScopesSupported: offered, BearerMethodsSupported: []string{"header"},
	}))
	mux.HandleFunc("/counts", func(w http.ResponseWriter, _ *http.Request) {
		seen.mu.Lock()
		defer seen.mu.Unlock()
		json.NewEncoder(w).Encode(seen)
	})
	fmt.Printf("listening on %s\n", resource)
	log.Fatal((&http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}).Serve(listener))
}

// cors lets pages in: they may read challenges, and ask beforehand without a
// token.
func cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "WWW-Authenticate, Mcp-Session-Id")
		if r.Method == http.MethodOptions {
			w.Header().Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
			w.Header().Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers")) // "*" would leave Authorization out
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}
