// Command gosdk is the interoperability server on the official Go SDK. The
// README of the directory above says what it offers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "gosdk:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	port := flag.Int("http", -1, "serve Streamable HTTP on this `port` of 127.0.0.1; 0 takes a free one")
	stdio := flag.Bool("stdio", false, "serve stdin and stdout")
	legacy := flag.Bool("legacy", false, "speak the protocol revisions before 2026-07-28, with sessions")
	json := flag.Bool("json", false, "answer with application/json instead of an event stream")
	flag.Parse()
	if *stdio == (*port >= 0) {
		return errors.New("give either --http PORT or --stdio")
	}
	pages, err := openPages()
	if err != nil {
		return err
	}
	server := newServer(pages, *legacy)
	if *stdio {
		return server.Run(ctx, &mcp.StdioTransport{})
	}

	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		return err
	}
	options := &mcp.StreamableHTTPOptions{Stateless: !*legacy, JSONResponse: *json, PropagateRequestCancellation: true}
	if *legacy {
		options.EventStore = mcp.NewMemoryEventStore(nil)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options))
	fmt.Printf("listening on http://%s/mcp\n", l.Addr())
	context.AfterFunc(ctx, func() { l.Close() })
	return http.Serve(l, mux)
}
