package stories

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxTries is how often the same questions are put before a story gives up.
const maxTries = 3

// A story is one feature of the server: it decides a round from the arguments
// and the round alone.
type story[In any] func(in In, r round) reply

// progress is what a requestState says, in plain text: gosdk.Guard seals it.
type progress struct {
	Keys  []string        `json:"keys,omitempty"`  // questions put in the last round
	Tries int             `json:"tries,omitempty"` // how often in a row they were put
	Facts json.RawMessage `json:"facts,omitempty"` // what earlier answers established
}

// readProgress reads what this server wrote. A state it did not write does not
// get here.
func readProgress(state string) (p progress) {
	if state != "" {
		_ = json.Unmarshal([]byte(state), &p)
	}
	return p
}

func (p progress) text() string {
	text, _ := json.Marshal(p) // strings and numbers
	return string(text)
}

// round is one request as a story sees it.
type round struct {
	last    progress             // of the last round; zero on the first leg
	answers mcp.InputResponseMap // what the client says: attacker-controlled
	base    string               // this server's own address, for pages; may be empty
}

// reply is a story's decision. Exactly one of questions and text counts: no
// questions (nil) means the story is over.
type reply struct {
	questions mcp.InputRequestMap // empty but not nil: the client is only told to come back
	next      progress            // what the requestState will say
	stateless bool                // send no requestState
	state     string              // next as text, filled in by the desk
	text      string
	end       ending
}

// ending says why a story is over.
type ending string

const (
	done       ending = ""           // it has an answer
	refused    ending = "refused"    // the user declined or cancelled
	unanswered ending = "unanswered" // the client was asked maxTries times
)

// answer ends the story with its result.
func answer(format string, args ...any) reply {
	return reply{text: fmt.Sprintf(format, args...)}
}

// refuse ends the story because the user would not answer.
func refuse(format string, args ...any) reply {
	return reply{text: fmt.Sprintf(format, args...), end: refused}
}

// question is one entry of inputRequests.
type question interface {
	key() string
	request(again bool) mcp.InputRequest
}

// ask puts the questions, or gives up on them. facts is what the story needs to
// remember, read back by [round.recall]; nil is nothing.
func (r round) ask(facts any, questions ...question) reply {
	p := progress{Tries: 1}
	for _, q := range questions {
		p.Keys = append(p.Keys, q.key())
	}
	if slices.ContainsFunc(p.Keys, r.asked) {
		p.Tries = r.last.Tries + 1
	}
	if p.Tries > maxTries {
		return reply{text: fmt.Sprintf("No usable answer to %q after asking %d times.", p.Keys, maxTries), end: unanswered}
	}
	put := mcp.InputRequestMap{}
	for _, q := range questions {
		put[q.key()] = q.request(p.Tries > 1)
	}
	return reply{questions: put, next: p.remember(facts)}
}

// wait asks nothing: the client is to come back with the requestState alone.
func (r round) wait(facts any) reply {
	return reply{questions: mcp.InputRequestMap{}, next: progress{}.remember(facts)}
}

// asked reports whether the last round put the question. An answer to any other
// is ignored, whoever sent it.
func (r round) asked(key string) bool { return slices.Contains(r.last.Keys, key) }

// recall reads the facts that the last round remembered into facts.
func (r round) recall(facts any) {
	if r.last.Facts != nil {
		// Sealed by this server for this request, so it has the right shape.
		_ = json.Unmarshal(r.last.Facts, facts)
	}
}

func (p progress) remember(facts any) progress {
	if facts != nil {
		p.Facts, _ = json.Marshal(facts) // plain structs of this package
	}
	return p
}
