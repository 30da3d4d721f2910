package gosdk

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
)

// Shared is a client of the SDK whose connections also carry the calls of
// sessions; [Over] makes one.
type Shared struct {
	send mcp.MethodHandler // without what was added to the client after it

	mu       sync.Mutex
	declared map[*mcp.ClientSession]*mcp.ClientCapabilities // at initialize
	carriers map[*mcp.ClientSession][]*Carrier              // of sessions that have made a call, the last of them last
}

// Over lets sessions make calls over a client's connections. It adds middleware
// to the client, so it is called once for each, before the client connects:
//
//	client := mcp.NewClient(info, &mcp.ClientOptions{Capabilities: gosdk.Capabilities(engine.Can{Form: true})})
//	shared := gosdk.Over(client)
//	connection, err := client.Connect(ctx, transport, nil)
//	...
//	s, err := parley.NewSession(parley.Native{}, shared.Carry(connection), parley.SessionOptions{Askers: askers})
//
// The session speaks the version that the client has agreed on. Where servers
// ask by requests of their own, before 2026-07-28, it is asked what the client
// is asked, from its first call on and for as long as it lives; the client must
// have declared that. The client's own handlers, its multi-round-trip option
// included, play no part in the session's calls.
//
// A panic of the SDK at an answer fails the call that it is for, which is then
// in doubt.
func Over(client *mcp.Client) *Shared {
	s := &Shared{declared: map[*mcp.ClientSession]*mcp.ClientCapabilities{}, carriers: map[*mcp.ClientSession][]*Carrier{}}
	client.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		s.send = next
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if own, ok := ctx.Value(sentKey{}).(mcp.Request); ok {
				req = own
			}
			if p, ok := req.GetParams().(*mcp.InitializeParams); ok {
				s.initializes(req.GetSession().(*mcp.ClientSession), p.Capabilities)
			}
			return next(ctx, method, req)
		}
	})
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.ElicitationCompleteParams); ok && p == nil { // 1.8.0 panics at it, with a lock that it never opens again
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: method + " without params"}
			}
			for _, c := range slices.Backward(s.of(req.GetSession())) {
				if c.owns(method) {
					return c.ask(ctx, method, req.GetParams())
				}
				c.tell(method, req.GetParams())
			}
			return next(ctx, method, req)
		}
	})
	return s
}

// Capabilities is what a client has to declare so that servers of earlier eras
// ask what a session's host can answer.
func Capabilities(can engine.Can) *mcp.ClientCapabilities {
	c := &mcp.ClientCapabilities{}
	text, err := can.Declare(nil)
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		panic(err) // it is the engine's own text
	}
	if can.Roots {
		c.RootsV2 = &mcp.RootCapabilities{}
	}
	return c
}

// Carry is the transport of one session over a connection of the client. Of
// several for the same connection, the last one is asked.
//
// The SDK decodes what it carries into its own types and encodes it again: ids
// are the client's, members that its types do not have are lost, objects come
// with their members in another order (the fields of a form, the questions of a
// round), numbers are rounded to doubles, and an empty requestState is an absent
// one. What a call sends goes out as it is. A response that the SDK cannot
// decode, and a bare HTTP status, count as lost; 1.8.0 cannot decode a round
// that asks for roots without params. Tasks cannot be carried, and subscriptions
// are the client's. Header fields that a tool wants of its arguments are sent if
// the client has listed the tools itself.
func (s *Shared) Carry(connection *mcp.ClientSession) *Carrier {
	return &Carrier{shared: s, connection: connection, legs: map[string]*carried{}, asked: map[string]chan answer{}}
}

// initializes keeps what a client declares for as long as the connection lasts.
func (s *Shared) initializes(connection *mcp.ClientSession, declared *mcp.ClientCapabilities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.declared[connection] = declared
	go func() {
		_ = connection.Wait() // whatever ended it
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.declared, connection)
		delete(s.carriers, connection)
	}()
}

// own has a carrier receive what comes over its connection. It fails with the
// name of the first capability that is wanted and that the client has not
// declared.
func (s *Shared) own(c *Carrier, wanted map[string]json.RawMessage) (missing string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.declared[c.connection]; d != nil { // Over was called in time
		for _, one := range []struct {
			name string
			has  bool
		}{{"elicitation", d.Elicitation != nil}, {"sampling", d.Sampling != nil}, {"roots", d.RootsV2 != nil}} {
			if wanted[one.name] != nil && !one.has {
				return one.name
			}
		}
	}
	if all := s.carriers[c.connection]; !slices.Contains(all, c) {
		s.carriers[c.connection] = append(slices.Clip(all), c)
	}
	return ""
}

func (s *Shared) of(one mcp.Session) []*Carrier {
	s.mu.Lock()
	defer s.mu.Unlock()
	connection, _ := one.(*mcp.ClientSession)
	return s.carriers[connection]
}

func (s *Shared) disown(c *Carrier) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(slices.Clone(s.carriers[c.connection]), func(one *Carrier) bool { return one == c })
	if s.carriers[c.connection] = left; len(left) == 0 {
		delete(s.carriers, c.connection)
	}
}

// sentKey is of the request that takes the place of an empty one: what of the
// context only the SDK's methods know stays.
type sentKey struct{}

// sent is a request as the session wrote it. The SDK's own loop takes only those
// of a *mcp.ClientSession for its own, and leaves this one alone.
type sent struct {
	mcp.Request
	of mcp.Session
}

func (r sent) GetSession() mcp.Session { return r.of }

type apart struct{ mcp.Session }

// raw is JSON text that the SDK sends as it is.
type raw struct {
	mcp.ParamsBase
	text json.RawMessage
}

func (r *raw) MarshalJSON() ([]byte, error) { return r.text, nil }

// rawResult is raw as the answer to a question.
type rawResult struct {
	mcp.ResultBase
	text json.RawMessage
}

func (r *rawResult) MarshalJSON() ([]byte, error) { return r.text, nil }
