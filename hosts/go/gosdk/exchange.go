package gosdk

import (
	"context"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
)

// exchange is what a [Guard] tells the handlers behind it.
type exchange struct {
	x         *codec.Exchange // nil for a legacy client
	legacy    bool
	rounded   atomic.Bool // a legacy client's answer, see [Answer]
	maxRecord int
}

type exchangeKey struct{}

func withExchange(ctx context.Context, e *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, e)
}

func exchangeFrom(ctx context.Context) *exchange {
	e, _ := ctx.Value(exchangeKey{}).(*exchange)
	return e
}

// Exchange returns what the [Guard] around a handler knows of the request: its
// binding, with the principal, and which answers may be used. It is nil without
// a Guard and for clients of revisions without rounds. It must not be changed.
func Exchange(ctx context.Context) *codec.Exchange {
	if e := exchangeFrom(ctx); e != nil {
		return e.x
	}
	return nil
}

// Answer returns the answer under key of a request's InputResponses, and what
// is known about it: whether it answers this very question. A handler that asks
// from the request alone uses only answers that are [codec.Same], and asks
// again for the others. The answer is R's zero value if the verdict is
// [codec.Missing], as for an answer of another kind.
//
//	question := &mcp.ElicitParams{...}
//	res, verdict := gosdk.Answer[*mcp.ElicitResult](ctx, req.Params.InputResponses, "confirm", question)
//	if verdict != codec.Same {
//		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"confirm": question}}, nil
//	}
//
// Answers to sampling are *[mcp.CreateMessageWithToolsResult]. Without a [Guard]
// nothing is proven. An answer with a number that the SDK has rounded is missing,
// where the Guard has not refused it already: see [Exact].
func Answer[R mcp.InputResponse](ctx context.Context, answers mcp.InputResponseMap, key string, question mcp.InputRequest) (R, codec.Verdict) {
	answer, ok := answers[key].(R)
	if !ok {
		return answer, codec.Missing
	}
	verdict := verdict(ctx, key, question)
	if e := exchangeFrom(ctx); e != nil && e.legacy && verdict == codec.Same {
		exact, err := fetched(answers[key], question)
		if err != nil {
			e.rounded.Store(true)
			verdict = codec.Missing
		} else {
			answer = exact.(R)
		}
	}
	if verdict == codec.Missing {
		var none R
		return none, verdict
	}
	return answer, verdict
}

// fetched is an answer that the SDK fetched, with the numbers as the client sent
// them and as the question has them.
func fetched(answer mcp.InputResponse, question mcp.InputRequest) (mcp.InputResponse, error) {
	res, ok := answer.(*mcp.ElicitResult)
	if !ok {
		return answer, nil
	}
	exact, err := restored(res)
	if err != nil || exact == res || exact.Action != "accept" {
		return exact, err
	}
	asked, ok := question.(*mcp.ElicitParams)
	if !ok || asked == nil || asked.RequestedSchema == nil {
		return exact, nil
	}
	_, bounds, err := readSchema(asked.RequestedSchema)
	if err == nil {
		err = bounds.fill(exact.Content)
	}
	return exact, err
}

func verdict(ctx context.Context, key string, question mcp.InputRequest) codec.Verdict {
	e := exchangeFrom(ctx)
	switch {
	case e == nil:
		return codec.Unproven
	case e.legacy: // fetched by the SDK after the handler asked, in this very call
		return codec.Same
	}
	questions, err := readQuestions(mcp.InputRequestMap{key: question})
	if err != nil {
		return codec.Changed
	}
	return e.x.Verdict(key, questions[0].Method, questions[0].Params)
}
