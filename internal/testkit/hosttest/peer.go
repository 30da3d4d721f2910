package hosttest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/engine/session"
)

// Peer is the other side of a benchmark: it gives every client the same bytes,
// and what it costs is next to nothing. It looks for the id and the state of a
// request, and has the answers ready. It is also a [parley.Transport] to itself.
type Peer struct {
	results  []string // of the legs of a call
	answers  [][]byte // to the legs, with the ids they had last
	greeting []byte   // to server/discover
}

const (
	// ScriptedDiscovery is the result of server/discover.
	ScriptedDiscovery = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`

	state        = "EctyVi7rHqYNXYdM_VpwwGsI4GKYbcxT_xXTBvr5_qm3yMeS42TOHB_QaA78_3jspF04"
	answerBegins = `{"jsonrpc":"2.0","id":`
)

var (
	idBegins    = []byte(`"id":`)
	comma       = []byte(",")
	stateBegins = []byte(state)
	discovers   = []byte(`"method":"server/discover"`)
)

// NewPeer makes a peer that answers the legs of each call with these results. A
// result other than the last one says which leg it is the answer to, as
// [ScriptedRound] does.
func NewPeer(results ...string) *Peer {
	p := &Peer{results: results}
	id := strconv.AppendInt(nil, benchID, 10)
	for _, result := range results {
		p.answers = append(p.answers, reply(nil, id, result))
	}
	return p
}

// ScriptedAnswer is the result of a leg of a call: a round with one question, or
// the final result.
func ScriptedAnswer(leg, legs int) string {
	if leg == legs {
		return `{"resultType":"complete","content":[{"type":"text","text":"It is 18 degrees in New York."}],"isError":false}`
	}
	return ScriptedRound(leg, "name")
}

// ScriptedAnswers are the results of all legs of a call.
func ScriptedAnswers(legs int) (results []string) {
	for leg := range legs {
		results = append(results, ScriptedAnswer(leg+1, legs))
	}
	return results
}

// ScriptedRound is the result of a leg that asks a question for each key.
func ScriptedRound(leg int, keys ...string) string {
	var asks strings.Builder
	for i, key := range keys {
		if i > 0 {
			asks.WriteByte(',')
		}
		fmt.Fprintf(&asks, `%q:{"method":"elicitation/create","params":{"mode":"form","message":"Please provide your GitHub username",`+
			`"requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1}},"required":["name"]}}}`, key)
	}
	return `{"resultType":"input_required","inputRequests":{` + asks.String() + `},"requestState":"` + state + strconv.Itoa(leg) + `"}`
}

// Answer returns the response to a request. It is valid until the same leg is
// answered again; with another id that is as long, only the id of it changes.
func (p *Peer) Answer(request []byte) []byte {
	_, id, _ := bytes.Cut(request, idBegins)
	id, rest, _ := bytes.Cut(id, comma)
	if bytes.HasPrefix(rest, discovers) {
		p.greeting = reply(p.greeting, id, ScriptedDiscovery)
		return p.greeting
	}
	leg := 0
	if _, after, found := bytes.Cut(rest, stateBegins); found {
		for ; after[0] != '"'; after = after[1:] {
			leg = leg*10 + int(after[0]-'0')
		}
	}
	p.answers[leg] = reply(p.answers[leg], id, p.results[leg])
	return p.answers[leg]
}

// reply writes an id into a response, or the response if it does not fit.
func reply(last, id []byte, result string) []byte {
	begin, end := len(answerBegins), len(answerBegins)+len(id)
	if len(last) > end && last[end] == ',' {
		copy(last[begin:end], id)
		return last
	}
	return slices.Concat([]byte(answerBegins), id, []byte(`,"result":`), []byte(result), []byte("}"))
}

// Kind implements [parley.Transport].
func (p *Peer) Kind() session.Transport { return session.HTTP }

// Perform implements [parley.Transport].
func (p *Peer) Perform(_ context.Context, a session.Action, report func(session.Event, error)) {
	if post, ok := a.(session.Post); ok {
		report(session.Message{Exchange: post.Exchange, Body: p.Answer(post.Body), Last: true}, nil)
	}
}

// Close implements [parley.Transport].
func (p *Peer) Close() error { return nil }
