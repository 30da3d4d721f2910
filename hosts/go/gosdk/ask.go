package gosdk

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
)

var (
	// ErrPending is what the methods of [Ask] return when their answer is not
	// there yet. A handler returns it, wrapped or not, and is run again with the
	// answer. Whatever else it returns is dropped once a question is open.
	ErrPending = errors.New("gosdk: waiting for an answer: return this error from the handler, which is run again with the answer")

	// ErrRecordTooLarge says that the answers so far do not fit a state. Ask for
	// less, or raise [Options.MaxRecord] and the codec's MaxToken.
	ErrRecordTooLarge = errors.New("gosdk: the answers recorded so far do not fit a requestState: ask for less, or raise Options.MaxRecord and the codec's MaxToken")
)

// Ask asks for input in the middle of a handler (see [Asking]).
//
// A handler is run from its beginning in every round of a call, and is given the
// answers of earlier rounds by the same calls in the same order. Code before a
// question therefore runs several times: effects belong after the last question,
// or into [Once].
//
// An answer is used only for the question it was given to. Each step, a call to
// a method of Ask or to Once, is compared with the one recorded in its place: if
// the kind, the text or anything else of a question differs, or its place does,
// it is asked anew, and so is everything that came after it. A question's text
// must thus not change by itself, as it would with the time of day in it; pass
// what varies through Once.
//
// A question that goes unanswered is asked again, and a call has as many rounds
// as the Guard's MaxRounds. A question that the client did not declare it can
// answer ends the call with an error (see [Undeclared]); a handler that can do
// without looks at the request's ClientCapabilities first.
//
// Clients of protocol revisions without rounds are asked by requests of the
// server, [mcp.ServerSession.Elicit] and its like, while the handler waits; it
// runs once then. One that has no session to be reached by gets an error that
// says so. [Can] tells before.
//
// An Ask belongs to one run of a handler. It must not be used by several
// goroutines: [Ask.All] asks several questions at once.
type Ask struct {
	direct   *mcp.ServerSession // asked while the handler waits; else nil
	declared *mcp.ClientCapabilities
	reached  bool // by requests

	exchange  *codec.Exchange
	maxRecord int
	record    record
	next      int                  // the step to come
	asked     int                  // questions without a key of their own
	open      int                  // the step whose questions the last round put
	answers   mcp.InputResponseMap // to these questions; nil once something differed

	pending mcp.InputRequestMap // not nil: the round ends with these questions
	state   string
}

// Elicit asks the person, with a form or, with a URL, by having them open a
// page. A person who declines or cancels has answered as well: see the result's
// Action. Content that does not fit RequestedSchema is no answer, and is asked
// for again; defaults of the schema are filled in.
func (a *Ask) Elicit(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	answer, err := a.one(ctx, "elicitation", p)
	res, _ := answer.(*mcp.ElicitResult)
	return res, err
}

// Sample asks the client's model. Questions with tools go through [Ask.All].
func (a *Ask) Sample(ctx context.Context, p *mcp.CreateMessageParams) (*mcp.CreateMessageWithToolsResult, error) {
	answer, err := a.one(ctx, "sampling", p)
	res, _ := answer.(*mcp.CreateMessageWithToolsResult)
	return res, err
}

// ListRoots asks for the client's roots.
func (a *Ask) ListRoots(ctx context.Context) (*mcp.ListRootsResult, error) {
	answer, err := a.one(ctx, "roots", &mcp.ListRootsParams{})
	res, _ := answer.(*mcp.ListRootsResult)
	return res, err
}

// one asks a question under a key that says its kind and its place, such as
// elicitation-1.
func (a *Ask) one(ctx context.Context, kind string, q mcp.InputRequest) (mcp.InputResponse, error) {
	a.asked++
	key := kind + "-" + strconv.Itoa(a.asked)
	answers, err := a.All(ctx, mcp.InputRequestMap{key: q})
	if err != nil {
		return nil, err
	}
	return answers[key], nil
}

// All asks several questions in one round, under keys of the handler's choice,
// which clients get to see. The result has an answer under each of these keys,
// of the type that belongs to the question: *[mcp.ElicitResult],
// *[mcp.CreateMessageWithToolsResult] or *[mcp.ListRootsResult]. If a client
// answers some of them, the others are asked again.
func (a *Ask) All(ctx context.Context, questions mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	if len(questions) == 0 {
		return mcp.InputResponseMap{}, nil
	}
	kinds, questions, err := kindsOf(questions)
	if err != nil {
		return nil, err
	}
	entries, err := readQuestions(questions)
	if err != nil {
		return nil, err
	}
	if a.direct != nil {
		if err := a.reach(questions); err != nil {
			return nil, err
		}
		return askAll(ctx, a.direct, kinds)
	}
	if err := a.ready(); err != nil {
		return nil, err
	}
	known := a.known()
	answers, missing := mcp.InputResponseMap{}, mcp.InputRequestMap{}
	var now step
	for i := range entries {
		key := entries[i].Key
		answer, e, err := a.answer(known, &entries[i], kinds[key])
		switch {
		case err != nil:
			return nil, err
		case answer == nil:
			missing[key] = questions[key]
			continue
		}
		answers[key] = answer
		now = append(now, e)
	}
	a.take(now, len(missing) == 0)
	if len(missing) > 0 {
		return nil, a.suspend(missing)
	}
	return answers, nil
}

// reach returns why the client cannot be asked by requests.
func (a *Ask) reach(questions mcp.InputRequestMap) error {
	if !a.reached { // nor does anybody know then what it declared
		return errUnreachable
	}
	return Undeclared(questions, a.declared)
}

// ready returns why no step can be taken.
func (a *Ask) ready() error {
	switch {
	case a.exchange == nil:
		return errUnguarded
	case a.pending != nil:
		return ErrPending
	}
	return nil
}

// answer is the answer to a question of the step to come, recorded or new; nil
// if there is none.
func (a *Ask) answer(known step, q *codec.Question, kind kind) (mcp.InputResponse, entry, error) {
	digest, err := codec.Question{Key: q.Key, Method: q.Method, Params: q.Params}.Digest()
	if err != nil {
		return nil, entry{}, err
	}
	if e, ok := known.find(digest); ok {
		return kind.recall(e.Is), e, nil
	}
	if a.next != a.open || a.exchange.Verdict(q.Key, q.Method, q.Params) != codec.Same {
		return nil, entry{}, nil
	}
	answer := kind.accept(a.answers[q.Key])
	if answer == nil {
		return nil, entry{}, nil
	}
	e, err := newEntry(digest, answer)
	return answer, e, err
}

// known is what the record has for the step to come.
func (a *Ask) known() step {
	if a.next < len(a.record.Steps) {
		return a.record.Steps[a.next]
	}
	return nil
}

// take puts a step in its place in the record. If it is not the one that was
// recorded there, nothing that came after it counts.
func (a *Ask) take(now step, complete bool) {
	if a.next >= a.open || !complete || !now.equal(a.known()) {
		if a.next < a.open {
			a.answers = nil
		}
		a.record.Steps = append(a.record.Steps[:a.next:a.next], now)
	}
	a.next++
}

// suspend ends the round with these questions.
func (a *Ask) suspend(questions mcp.InputRequestMap) error {
	state, err := a.record.encode()
	switch {
	case err != nil:
		return err
	case len(state) > a.maxRecord:
		return ErrRecordTooLarge
	}
	a.pending, a.state = questions, state
	return ErrPending
}

// askAll asks a client by requests, one after the other.
func askAll(ctx context.Context, session *mcp.ServerSession, kinds map[string]kind) (mcp.InputResponseMap, error) {
	answers := make(mcp.InputResponseMap, len(kinds))
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		var err error
		if answers[key], err = kinds[key].request(ctx, session); err != nil {
			return nil, err
		}
	}
	return answers, nil
}
