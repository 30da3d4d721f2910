package modern

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/codec"
)

// refused is the answer to every requestState that cannot be used, whatever the
// cause, which only the log tells. It says what to do in any case.
var refused = message.Error(message.InvalidParams,
	"Invalid or expired requestState: this bridge waits for no such answer. The call took too long, was canceled or answered already, "+
		"or another process has it: this one may have been restarted. Make the call again from the start, without requestState; "+
		"where several bridges run side by side, send all requests of a client to the same one.",
	[]byte(`{"reason":"invalid_request_state"}`))

// call makes a call, or goes on with one that waits for this request's answers.
func (s *Service) call(ctx context.Context, conn *connection, r *request) (result, fault []byte) {
	params, exchange, err := s.guard.Inbound(r.Method, r.Params, r.principal)
	if err != nil {
		s.opts.Log.Warn("refused a requestState", "method", r.Method, "why", err.Error())
		return nil, refused
	}
	if len(params) == 0 {
		params = []byte("{}")
	}
	var c *call
	if id := message.Text(params, "requestState"); id != "" {
		if c = s.held.take(id); c == nil {
			s.opts.Log.Warn("refused a requestState", "method", r.Method, "why", "the call is not held any more")
			return nil, refused
		}
		c.join(r)
		c.answer(message.Get(params, "inputResponses"))
	} else {
		if message.Get(params, "inputResponses") != nil {
			params = message.Without(params, "inputResponses") // nobody asked
		}
		c = s.newCall(ctx, conn, r)
		c.join(r)
		go s.run(c, params)
	}
	waits := false
	defer func() {
		if !waits {
			c.leave()
		}
	}()
	questions, over := c.wait(ctx)
	switch {
	case over != nil:
		return over.result, over.fault
	case questions == nil: // the client gave up
		c.cancel()
		return nil, nil
	}
	id := rand.Text()
	sealed, err := s.guard.Outbound(exchange, inputRequired(questions, id))
	if err != nil {
		c.cancel()
		return nil, s.unsealed(r.Method, err)
	}
	if err := s.held.put(id, c, s.opts.Hold, func() {
		s.opts.Log.Warn("canceled a call: the client did not answer in time", "method", c.method)
	}); err != nil {
		c.cancel()
		s.opts.Log.Warn("canceled a call: as many wait as may", "method", c.method)
		return nil, message.Error(message.Internal, err.Error(), nil)
	}
	waits = true
	s.opts.Log.Info("asked the client", "questions", len(questions), "about", c.method)
	return sealed, nil
}

// unsealed is the answer where a state cannot be made, because there were too
// many rounds, say.
func (s *Service) unsealed(method string, err error) []byte {
	s.opts.Log.Error("a call was given up", "method", method, "why", err.Error())
	var coded *codec.Error
	if errors.As(err, &coded) {
		return coded.AppendResponse(nil)
	}
	return message.Error(message.Internal, "parley-bridge: the questions cannot be asked", nil)
}

// inputRequired is the result that asks.
func inputRequired(questions []*question, state string) []byte {
	b := []byte(`{"resultType":"input_required","inputRequests":{`)
	for i, q := range questions {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, message.Quote(q.key)...), ':'), q.entry...)
	}
	b = append(append(b, `},"requestState":`...), message.Quote(state)...)
	return append(b, '}')
}
