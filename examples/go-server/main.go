// Command go-server is an MCP server with two tools that ask in the middle of
// their code. README.md says how to run it.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/serve"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("go-server: ")
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen, `host:port`; port 0 takes a free one")
	keyFile := flag.String("key-file", "", "`file` of keys, the same for every instance; without it the key ends with the process")
	issuer := flag.String("issuer", "", "authorization server whose tokens update_work_item needs, as a `URL`; without it nobody signs in")
	clientID := flag.String("client-id", "", "`name` under which the server looks tokens up there; CLIENT_SECRET in the environment goes with it")
	replay := flag.String("replay", "", "Redis or PostgreSQL where all instances mark used states, so that each opens once, as a `URL`; one with a password goes into REPLAY in the environment")
	stall := flag.Duration("stall", time.Minute, "how long a request may take to arrive, or a connection wait for one")
	flag.Parse()

	// Instances with the same keys and audience go on with each other's calls.
	options := codec.GuardOptions{Audience: "parley-example-go", TTL: 24 * time.Hour} // a person's time to think
	if url := cmp.Or(*replay, os.Getenv("REPLAY")); url != "" {
		marks, err := openMarks(url)
		if err != nil {
			log.Fatal(err)
		}
		options.Replay, options.SingleUse = marks, []string{"update_work_item"}
	}
	guard, err := seal.NewGuard(*keyFile, options)
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "parley-example-go", Version: "0.1.0"},
		&mcp.ServerOptions{SupportedProtocolVersions: []string{"2026-07-28"}}) // earlier ones have no rounds
	server.AddReceivingMiddleware(gosdk.Guard(guard, gosdk.Options{Principal: user, Logger: slog.Default()}))
	mcp.AddTool(server, &mcp.Tool{Name: "get_weather", Description: "Tells the weather at a location."}, gosdk.AskingFor(getWeather))
	mcp.AddTool(server, &mcp.Tool{Name: "update_work_item", Description: "Moves a work item to another state."}, gosdk.AskingFor(updateWorkItem))

	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatalf("%v: choose a port with -addr 127.0.0.1:N, or have a free one chosen with -addr 127.0.0.1:0", err)
	}
	url := fmt.Sprintf("http://%s/mcp", listener.Addr())
	mux := http.NewServeMux()
	var handler http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true}) // the SDK serves 2026-07-28 no other way
	service := &serve.Server{Limits: serve.Limits{Header: min(*stall, 10*time.Second), Body: *stall, Idle: *stall, Write: *stall}}
	handler = service.Limit(handler, client)
	if *issuer != "" {
		tokens, err := findIntrospection(context.Background(), *issuer, *clientID, os.Getenv("CLIENT_SECRET"), url)
		if err != nil {
			log.Fatal(err)
		}
		a := &authorization{Resource: url, Issuer: *issuer, Verify: tokens.verify, Scopes: scopes}
		mux.Handle(a.metadata())
		handler = a.protect(handler)
	}
	mux.Handle("/mcp", handler)
	fmt.Printf("listening on %s\n", url)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := service.Serve(ctx, listener, http.NewCrossOriginProtection().Handler(mux)); err != nil {
		log.Fatal(err)
	}
}

// user is whose call it is: the token's user, so that another client of theirs can go on with it. The tokens are of one issuer.
// Without this it is the client, the issuer and the user (gosdk.TokenPrincipal), and a call stays with the client that began it.
func user(_ context.Context, req mcp.Request) (*string, error) {
	if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil { // whose UserID authorization.go requires
		return codec.Principal(nil, nil, &extra.TokenInfo.UserID), nil
	}
	return nil, nil
}

// client is whose share of the requests one is: a user's, or an address's.
func client(r *http.Request) string {
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		return "user " + info.UserID
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return host
}

// openMarks opens what all instances share of used states.
func openMarks(url string) (codec.ReplayStore, error) {
	switch scheme, _, _ := strings.Cut(url, ":"); scheme {
	case "redis", "rediss":
		return redis.OpenReplay(context.Background(), url, 0)
	case "postgres", "postgresql":
		return postgres.OpenReplay(context.Background(), url, 0)
	}
	return nil, errors.New("-replay is redis://HOST:PORT (rediss:// with TLS) or postgres://USER@HOST:PORT/DATABASE")
}

// scopes are what a request needs: the weather is for everybody, a question
// about a work item for who works on them, and what changes one wants more.
func scopes(r request) []string {
	switch {
	case r.Name != "update_work_item":
		return nil
	case r.Answers:
		return []string{"items", "items:write"}
	}
	return []string{"items"}
}

type weatherArgs struct {
	Location string `json:"location"`
}

// getWeather asks once. The handler runs again from its beginning with the
// answer, so the err of a Form always goes back as it is.
func getWeather(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest, in weatherArgs) (*mcp.CallToolResult, any, error) {
	wish, action, err := gosdk.Form[struct {
		Units string `json:"units"`
	}](ctx, ask, &mcp.ElicitParams{
		Message: fmt.Sprintf("Which units should the weather in %s be in?", in.Location),
		RequestedSchema: json.RawMessage(`{"type": "object", "properties": {
			"units": {"type": "string", "title": "Units", "default": "metric", "oneOf": [
				{"const": "metric", "title": "Metric (°C, km/h)"},
				{"const": "imperial", "title": "Imperial (°F, mph)"}]}
		}, "required": ["units"]}`),
	})
	switch {
	case err != nil:
		return nil, nil, err
	case action == "cancel":
		return say("The user cancelled: no weather for %s.", in.Location)
	case wish.Units == "imperial":
		return say("%s: 64 °F, light rain, wind 9 mph.", in.Location)
	}
	return say("%s: 18 °C, light rain, wind 15 km/h.", in.Location) // also for who declines: no preference
}

type workItemArgs struct {
	ID    int    `json:"id" jsonschema:"the number of the work item"`
	State string `json:"state" jsonschema:"for example New, Active, Resolved or Closed"`
}

// updateWorkItem asks twice if the answer to its first question calls for it.
func updateWorkItem(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest, in workItemArgs) (*mcp.CallToolResult, any, error) {
	if in.State != "Resolved" {
		return say("Work item %d is now %s.", in.ID, in.State)
	}
	how, action, err := gosdk.Form[struct {
		Resolution string `json:"resolution"`
	}](ctx, ask, &mcp.ElicitParams{
		Message: fmt.Sprintf("How was work item %d resolved?", in.ID),
		RequestedSchema: json.RawMessage(`{"type": "object", "properties": {
			"resolution": {"type": "string", "title": "Resolution", "enum": ["Fixed", "Won't fix", "Duplicate", "By design"]}
		}, "required": ["resolution"]}`),
	})
	switch {
	case err != nil:
		return nil, nil, err
	case action == "decline":
		return say("Work item %d is unchanged: the user declined to give a resolution.", in.ID)
	case action == "cancel":
		return say("Work item %d is unchanged: the user cancelled.", in.ID)
	case how.Resolution != "Duplicate":
		return say("Work item %d is now Resolved as %s.", in.ID, how.Resolution)
	}

	original, action, err := gosdk.Form[struct {
		OriginalID int    `json:"original_id"`
		Comment    string `json:"comment"`
	}](ctx, ask, &mcp.ElicitParams{
		Message: fmt.Sprintf("Which other work item does %d duplicate?", in.ID),
		RequestedSchema: json.RawMessage(`{"type": "object", "properties": {
			"original_id": {"type": "integer", "title": "Original work item", "minimum": 1},
			"comment": {"type": "string", "title": "Comment", "maxLength": 200}
		}, "required": ["original_id"]}`),
	})
	switch {
	case err != nil:
		return nil, nil, err
	case action == "decline":
		return say("Work item %d is unchanged: the user declined to name the original.", in.ID)
	case action == "cancel":
		return say("Work item %d is unchanged: the user cancelled after choosing Duplicate.", in.ID)
	case original.OriginalID == in.ID:
		return say("Work item %d is unchanged: it cannot duplicate itself.", in.ID)
	case original.Comment != "":
		return say("Work item %d is now Resolved as a duplicate of %d. Comment: %q.", in.ID, original.OriginalID, original.Comment)
	}
	return say("Work item %d is now Resolved as a duplicate of %d.", in.ID, original.OriginalID)
}

// say is a result of one text.
func say(format string, values ...any) (*mcp.CallToolResult, any, error) {
	text := fmt.Sprintf(format, values...)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
}
