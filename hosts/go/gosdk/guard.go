package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// Options tune [Guard]; the zero value is ready to use.
type Options struct {
	// Principal tells who sends a request, nil for nobody in particular. It must
	// say the same on every instance and in every round; [codec.Principal] spells
	// it. An error goes to the log and refuses calls with rounds, not those
	// without. Nil means [TokenPrincipal]: client, issuer and subject.
	Principal func(ctx context.Context, req mcp.Request) (*string, error)

	// Logger receives why a state was refused or could not be sealed, never a
	// state, an answer or a principal. Nil discards it.
	Logger *slog.Logger

	// Unpinned are tools and prompts by name, and resources by uri, whose
	// questions go out without a requestState unless their handler sets one.
	// Then nothing proves that an answer was ever asked for, so it must decide
	// nothing but what the client itself gets to read.
	Unpinned []string

	// MaxRecord bounds what the handlers of [Asking] record in a state, in
	// bytes. Zero means [DefaultMaxRecord]; raise it together with the codec's
	// MaxToken.
	MaxRecord int
}

// DefaultMaxRecord fits a token of [codec.DefaultMaxToken] characters with 64
// questions pinned.
const DefaultMaxRecord = 8 << 10

// Guard returns a receiving middleware for servers: it opens the requestState of
// tools/call, prompts/get and resources/read before their handler sees it,
// removes answers nobody asked for, and seals what the handler returns. Every
// state that is refused gets the same error -32602, every result that cannot be
// sealed the same -32603; only the log says why.
//
// It also holds back questions of a kind that the client did not declare, with
// the error -32021 of the specification.
//
// Add it once, to a server. Middleware added later sees sealed states, middleware
// added before sees plain ones. Clients of protocol revisions without rounds are
// asked by the SDK itself, inside the middleware: once for a call, unless the
// handler is one of [Asking]. States and answers they send are ignored.
//
// Guard panics if g is nil.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, server requirements 4, 5 and 7.
func Guard(g *codec.Guard, o Options) mcp.Middleware {
	if g == nil {
		panic("gosdk: Guard needs a codec.Guard (see seal.NewGuard)")
	}
	if o.Principal == nil {
		o.Principal = TokenPrincipal
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.MaxRecord == 0 {
		o.MaxRecord = DefaultMaxRecord
	}
	o.Unpinned = slices.Clone(o.Unpinned)
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			r := readRequest(method, req)
			switch {
			case r == nil:
				return next(ctx, method, req)
			case legacy(req):
				return (&call{g, &o, r}).serveEarlier(ctx, next, req.GetSession().(*mcp.ServerSession))
			}
			return (&call{g, &o, r}).serve(ctx, next, req)
		}
	}
}

// call is one request under a Guard.
type call struct {
	guard *codec.Guard
	o     *Options
	*request
}

func (c *call) serve(ctx context.Context, next mcp.MethodHandler, req mcp.Request) (mcp.Result, error) {
	principal, unknown := c.o.Principal(ctx, req)
	if unknown != nil && c.state != "" {
		return nil, c.refuse(&codec.Error{Code: refusal.Principal, Err: unknown})
	}
	answers, err := restoredAll(c.answers)
	if err != nil {
		return nil, c.notHeard(err)
	}
	binding := codec.Binding{Method: c.method, Target: c.target, Arguments: c.arguments, Principal: principal}
	var token *string
	if c.state != "" {
		token = &c.state
	}
	state, x, err := c.open(binding, token)
	if err != nil {
		return nil, c.refuse(err)
	}
	ctx = withExchange(ctx, &exchange{x: x, maxRecord: c.o.MaxRecord})
	res, err := next(ctx, c.method, c.with(state, usable(answers, x)))
	if err != nil {
		return nil, err
	}
	return c.seal(res, x, unknown)
}

// open opens a state, and refuses one at which the server's own Codec panics:
// the SDK would let any client end the server by a text that does so.
func (c *call) open(binding codec.Binding, token *string) (state *string, x *codec.Exchange, err error) {
	defer func() {
		if what := recover(); what != nil {
			state, x, err = nil, nil, &codec.Error{Code: refusal.Forged, Err: panicAs(what)}
		}
	}()
	return c.guard.Open(binding, token, sortedKeys(c.answers))
}

// mint does the same for sealing.
func (c *call) mint(x *codec.Exchange, state *string, questions []codec.Question) (token *string, err error) {
	defer func() {
		if what := recover(); what != nil {
			token, err = nil, &codec.Error{Code: refusal.Result, Minting: true, Err: panicAs(what)}
		}
	}()
	return c.guard.Seal(x, state, questions)
}

// panicAs is a panic for the log: what Go itself says holds no secret, anything else might.
func panicAs(what any) error {
	if err, ok := what.(runtime.Error); ok {
		return fmt.Errorf("the Guard or its Codec panicked: %w", err)
	}
	return errors.New("the Guard or its Codec panicked")
}

// usable are the answers that a handler may see.
func usable(answers mcp.InputResponseMap, x *codec.Exchange) mcp.InputResponseMap {
	if len(x.Answers) == len(answers) {
		return answers
	}
	kept := make(mcp.InputResponseMap, len(x.Answers))
	for i := range x.Answers {
		kept[x.Answers[i].Key] = answers[x.Answers[i].Key]
	}
	return kept
}

// seal is the result as it may be sent.
func (c *call) seal(res mcp.Result, x *codec.Exchange, unknown error) (mcp.Result, error) {
	r := readResult(res)
	if r == nil || len(r.questions) == 0 && r.state == "" { // at most, the client is told to come back
		return res, nil
	}
	if err := Undeclared(r.questions, c.declared); err != nil {
		return nil, err
	}
	questions, err := readQuestions(r.questions)
	var state *string
	if r.state != "" {
		state = &r.state
	}
	switch {
	case err != nil:
		return nil, c.notSealed(err)
	case r.questions == nil:
		return nil, c.notSealed(errStateAlone)
	case unknown != nil:
		return nil, c.notSealed(&codec.Error{Code: refusal.Principal, Minting: true, Err: unknown})
	case state == nil && slices.Contains(c.o.Unpinned, c.target):
		return res, nil
	}
	token, err := c.mint(x, state, questions)
	if err != nil {
		return nil, c.notSealed(err)
	}
	return r.with(*token), nil
}

var errStateAlone = &codec.Error{Code: refusal.Result, Minting: true,
	Detail: "the handler set RequestState without InputRequests; set an empty map to have the client come back"}

func (c *call) refuse(cause error) error {
	c.o.Logger.Warn("requestState refused", "method", c.method, "target", clip(c.target), "cause", cause)
	return response(&codec.Error{})
}

func (c *call) notHeard(cause error) error {
	c.o.Logger.Warn("answer refused", "method", c.method, "target", clip(c.target), "cause", cause)
	return cause
}

func (c *call) notSealed(cause error) error {
	c.o.Logger.Error("requestState not sealed", "method", c.method, "target", clip(c.target), "cause", cause)
	return response(&codec.Error{Minting: true})
}

// response is one of the two errors a client gets, whatever the cause.
func response(e *codec.Error) error {
	code, message, data := e.Response()
	wire := &jsonrpc.Error{Code: int64(code), Message: message}
	if data != "" {
		wire.Data = json.RawMessage(data)
	}
	return wire
}

// clip bounds what a client can write into the log.
func clip(target string) string {
	const most = 256
	if len(target) > most {
		return target[:most] + "..."
	}
	return target
}
