// Package modern is the bridge's side towards clients of MCP 2026-07-28: a
// server that keeps no sessions and asks by results. What a server of an earlier
// era asks by a request of its own ends the client's request with that question;
// the call goes on when the answer comes.
package modern

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/legacy"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/serve"
	"github.com/parley-mcp/parley/rawjson"
)

// Options shape a Service.
type Options struct {
	Server *upstream.Server
	Log    *slog.Logger
	Hold   time.Duration // how long a call waits for the client's answers
	Held   serve.Share   // calls that wait at once
	Idle   time.Duration // after which a session with the server that no request uses ends
	Conns  serve.Share   // sessions with the server at once
	Memory *memory.Bound // of what is held for clients over HTTP, nil over stdio
}

// versions are what a client may choose from: this package's, and those of its
// neighbour for earlier eras.
var versions = append([]string{session.ProtocolVersion}, legacy.Versions()...)

// Service serves any number of clients.
type Service struct {
	opts  Options
	guard *codec.Guard
	held  held
	pool  pool
	last  atomic.Int64 // name of a call
}

// maxRounds is how many rounds a call may have. The engine allows the server
// ten; questions that it asks in quick succession may become one more each.
const maxRounds = 20

// New makes a Service. Its requestStates open in this process only: so does what
// they name.
func New(o Options) (*Service, error) {
	guard, err := seal.NewGuard("", codec.GuardOptions{TTL: o.Hold + time.Minute, MaxRounds: maxRounds, RequireState: true})
	if err != nil {
		return nil, err
	}
	s := &Service{opts: o, guard: guard, held: held{calls: map[string]*call{}, share: o.Held}}
	s.pool = pool{service: s, open: map[string]*connection{}}
	return s, nil
}

// Close cancels the calls that wait and ends the sessions with the server.
func (s *Service) Close() {
	s.held.close()
	s.pool.close()
}

// request is one of a client's.
type request struct {
	message.Message
	user         string  // of the bridge, "" where it knows none
	principal    *string // the same, as in codec.Guard.Inbound
	capabilities []byte  // that the client declares
	sink         message.Sink
}

const metaPrefix = "io.modelcontextprotocol/"

// Serve sees a request through and returns the response. It returns nil when ctx
// ends, which is how a client cancels.
func (s *Service) Serve(ctx context.Context, m message.Message, user string, sink message.Sink) []byte {
	r := &request{Message: m, user: user, sink: sink}
	if user != "" {
		r.principal = codec.Principal(nil, nil, &user)
	}
	if flaw := s.check(r); flaw != nil {
		return message.Failure(m.ID, flaw)
	}
	result, flaw := s.serve(ctx, r)
	switch {
	case ctx.Err() != nil:
		return nil
	case flaw != nil:
		return message.Failure(m.ID, flaw)
	}
	return message.Response(m.ID, result)
}

// check reads what every request carries in _meta.
//
// Source: MCP 2026-07-28, basic/index, Per-request protocol fields.
func (s *Service) check(r *request) (flaw []byte) {
	meta := message.Get(r.Params, "_meta")
	version := message.Text(meta, metaPrefix+"protocolVersion")
	capabilities := message.Get(meta, metaPrefix+"clientCapabilities")
	switch {
	case version == "":
		return message.Error(message.InvalidParams, "params._meta has no "+metaPrefix+"protocolVersion", nil)
	case version != session.ProtocolVersion:
		data, _ := json.Marshal(map[string]any{"supported": versions, "requested": version})
		return message.Error(message.WrongVersion, "Unsupported protocol version", data)
	case len(capabilities) == 0 || capabilities[0] != '{':
		return message.Error(message.InvalidParams, "params._meta has no "+metaPrefix+"clientCapabilities", nil)
	}
	r.capabilities = capabilities
	return nil
}

func (s *Service) serve(ctx context.Context, r *request) (result, flaw []byte) {
	conn, err := s.pool.take(r)
	if err != nil {
		return nil, message.Error(message.Internal, err.Error(), nil)
	}
	defer s.pool.release(conn)
	switch r.Method {
	case "server/discover":
		return s.discover(ctx, conn)
	case "subscriptions/listen":
		return s.listen(ctx, conn, r)
	case "tools/call", "prompts/get", "resources/read":
		return s.call(ctx, conn, r)
	}
	c := s.newCall(ctx, conn, r)
	defer c.cancel()
	defer s.pool.forget(c)
	c.join(r)
	nobody := func(context.Context, parley.Question) ([]byte, error) {
		return nil, upstream.Refusal("nobody can be asked by " + r.Method)
	}
	out, err := conn.Call(ctx, c.name, parley.Request{
		Method: r.Method, Params: r.Params, Askers: conn.Askers(nobody, signin.Person{}), Watchers: parley.Watchers{OnProgress: c.progress},
	})
	if err != nil {
		if empty := conn.Empty(r.Method, err); empty != nil {
			return complete(r.Method, empty), nil
		}
		return nil, s.failure(conn, r.Method, err)
	}
	return complete(r.Method, out.Result), nil
}

// failure is the error object for a call that failed, as it is called today: the
// codes of earlier eras that have another now must not be sent.
//
// Source: MCP 2026-07-28, basic/index, Error Codes.
func (s *Service) failure(conn *connection, method string, err error) []byte {
	s.opts.Log.Warn("a request failed", "method", method, "why", upstream.Reason(err))
	if errors.Is(err, fault.Capability) && !conn.IsModern() {
		// -32042, which says that a page is to be opened, is all that a server of
		// an earlier era can end a call with that this client did not declare.
		return message.Error(message.MissingCapability, "parley-bridge: the server wants a page to be opened (elicitation in url mode)",
			[]byte(`{"requiredCapabilities":{"elicitation":{"url":{}}}}`))
	}
	object := upstream.Failure(err)
	if string(message.Get(object, "code")) == "-32002" { // resource not found
		object = message.With(object, "code", strconv.AppendInt(nil, message.InvalidParams, 10))
	}
	return object
}

// discover tells what the server says of itself.
func (s *Service) discover(ctx context.Context, conn *connection) (result, flaw []byte) {
	said, err := conn.Ready(ctx)
	if err != nil {
		return nil, s.failure(conn, "server/discover", err)
	}
	list, _ := json.Marshal(versions)
	result = fmt.Appendf(nil, `{"resultType":"complete","supportedVersions":%s,"capabilities":%s,`, list, upstream.Offers(said.Capabilities))
	if said.Instructions != "" {
		result = fmt.Appendf(result, `"instructions":%s,`, message.Quote(said.Instructions))
	}
	return fmt.Appendf(result, `"ttlMs":0,"cacheScope":"private","_meta":{"%sserverInfo":%s}}`, metaPrefix, said.ServerInfo), nil
}

// complete is a result with the members that results of 2026-07-28 must have;
// those of earlier eras lack them.
//
// Source: MCP 2026-07-28, basic/index, ResultType; server/utilities/caching.
func complete(method string, result []byte) []byte {
	if !rawjson.IsObject(result) { // it goes to the client as it came
		return result
	}
	switch method {
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read":
		if message.Get(result, "cacheScope") == nil {
			result = message.With(result, "cacheScope", []byte(`"private"`))
		}
		if message.Get(result, "ttlMs") == nil {
			result = message.With(result, "ttlMs", []byte("0"))
		}
	}
	if message.Text(result, "resultType") != "complete" {
		result = message.With(result, "resultType", []byte(`"complete"`))
	}
	return result
}

func (s *Service) nextName() string { return strconv.FormatInt(s.last.Add(1), 10) }
