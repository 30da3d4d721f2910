// Package stories is an MCP server whose every feature has something to ask.
//
// It speaks protocol version 2026-07-28 on the official Go SDK and answers
// tools/call, prompts/get and resources/read with InputRequiredResults, so a
// client can be tried against each shape a round may have: one form, a chain of
// forms, a page to open, sampling, roots, all three at once, a round without requestState, a
// round with nothing else, and rounds before a task. README.md lists the features and their rounds.
//
// Nothing is remembered between rounds, except which page was visited: a story
// decides each one from the arguments, the answers and the requestState alone,
// which package gosdk seals. What takes minutes becomes a task, by its Tasks.
// Tests start the server in process:
//
//	srv := httptest.NewServer(stories.Handler(stories.Options{}))
package stories

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// ProtocolVersion is the only MCP revision the server speaks. Earlier ones have
// no InputRequiredResult, and a server without sessions cannot call back.
const ProtocolVersion = "2026-07-28"

// Options tunes the server; the zero value is ready to use.
type Options struct {
	// Codec seals requestState. Nil makes one with a new key that only this
	// server has; several instances share a Codec's keys.
	Codec codec.Codec

	// Audience names the service in requestState, the same on all instances.
	// Empty means [DefaultAudience].
	Audience string

	// TTL is how long a client may take to answer one round or a question of a
	// task, and how long the work of a task may take besides; at most 30 days.
	// Zero means [DefaultTTL].
	TTL time.Duration

	// Step is how long each of the five steps takes that provision pretends to
	// make. Zero means [DefaultStep].
	Step time.Duration

	// Now is the clock that requestState expires by. Nil means time.Now.
	Now func() time.Time

	// SingleUse are tools and prompts, by name, whose requestState opens once on
	// this instance; others do not know of it.
	SingleUse []string

	// Users are who may call the server, by bearer token. Nil lets everybody in,
	// and requestState then belongs to nobody in particular.
	Users Users

	// Tasks are what provision becomes one of. Nil makes some that only this
	// server has.
	Tasks *gosdk.Tasks

	// JSON answers a POST with application/json instead of a stream of one
	// server-sent event. Errors are application/json either way.
	JSON bool

	// Origins are the web origins, such as "http://localhost:5173", whose pages
	// may call the server. Pages from any other origin are refused.
	Origins []string

	// Logger receives a line for each round and the reason a requestState was
	// refused, never the state or an answer. Nil discards them.
	Logger *slog.Logger
}

// What the zero Options stand for.
const (
	DefaultAudience = "parley-go-server"
	DefaultTTL      = 24 * time.Hour
	DefaultStep     = 30 * time.Second
)

// NewServer returns an MCP server with every story registered. It panics on a
// TTL that is out of range.
//
// It has no pages, so connect_account connects nothing; Handler has them. It
// does not look at Users either, which is done before a request reaches it.
func NewServer(o Options) *mcp.Server { return furnish(o).server }

// furnish returns a desk with every story.
func furnish(o Options) *desk {
	d := newDesk(o)
	addWeather(d)
	addWorkItem(d)
	addMachine(d)
	addSummary(d)
	addFiles(d)
	addTrip(d)
	addBusy(d)
	addReview(d)
	addReport(d)
	addConnect(d)
	addRoom(d)
	addProvision(d)
	return d
}

// Handler returns the Streamable HTTP endpoint of a new server. It answers
// under any path but /connect/, where the pages of connect_account are;
// requests are independent, there are no sessions.
func Handler(o Options) http.Handler {
	o = o.withDefaults()
	d := furnish(o)
	d.pages = newPages(o.TTL, o.Now)
	server := d.server
	endpoint := allowOrigins(o.Origins, o.Users.only(gosdk.Exact(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{
			Stateless:                    true, // the SDK serves 2026-07-28 no other way
			JSONResponse:                 o.JSON,
			Logger:                       o.Logger,
			MaxRequestBodyBytes:          1 << 20,
			PropagateRequestCancellation: true,
		}))))
	pages := http.NewCrossOriginProtection().Handler(d.pages)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.HasPrefix(req.URL.Path, connectPath) {
			pages.ServeHTTP(w, req)
			return
		}
		// The SDK hands a story the header, but not the host.
		req.Header.Set(baseHeader, loopbackBase(req.Host))
		endpoint.ServeHTTP(w, req)
	})
}

// baseHeader carries the server's own address to the stories. What a client
// says in it is replaced.
const baseHeader = "Parley-Base"
