package noble_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
)

const audience = "https://service.example"

// guarded is a token that a Guard minted, and what went into it.
type guarded struct {
	token     string
	secret    hexBytes
	binding   codec.Binding
	questions []codec.Question
	state     *string
	minutes   int
	rounds    int
	iat       int64
	start     int64
	salt      []byte
}

// TestGuardAlike has a Guard mint tokens of flows with several rounds, and
// noble's reader find every field where the format has it and recompute what is
// bound and pinned.
func TestGuardAlike(t *testing.T) {
	r := source("guard")
	var tokens []guarded
	for range 60 {
		tokens = append(tokens, mintFlow(t, r)...)
	}
	opens := make([]openRequest, len(tokens))
	for i, g := range tokens {
		opens[i] = openRequest{[]hexBytes{g.secret}, []byte("parley-guard/1"), g.token}
	}
	var requests []readRequest
	for i, got := range node[openRequest, opened](t, "open.mjs", opens) {
		if got.Error {
			t.Fatalf("token %d: noble refuses it", i)
		}
		requests = append(requests, tokens[i].request(got.Plaintext))
	}
	for i, got := range node[readRequest, read](t, "guard.mjs", requests) {
		g := tokens[i]
		want := fmt.Sprint(g.rounds, g.iat, g.minutes, g.start, g.start == g.iat, g.state == nil, len(g.questions))
		if got := fmt.Sprint(got.Rounds, got.IAT, got.TTL, got.FlowStart, got.FlowStart == got.IAT, got.NoState, len(got.Pins)); got != want {
			t.Errorf("token %d: rounds, iat, ttl, flow start, first, no state, pins: got %s, want %s", i, got, want)
		}
		if !bytes.Equal(got.Rand, g.salt) {
			t.Errorf("token %d: salt: got %x, want %x", i, got.Rand, g.salt)
		}
		if g.state != nil && string(got.State) != *g.state || g.state == nil && len(got.State) != 0 {
			t.Errorf("token %d: state: got %q", i, got.State)
		}
		if got.Expires != g.iat+int64(g.minutes)*60+60 {
			t.Errorf("token %d: expires: got %d", i, got.Expires)
		}
		if len(got.Differs) != 0 {
			t.Errorf("token %d of %s %q, arguments %q: noble finds other %v", i, g.binding.Method, g.binding.Target, g.binding.Arguments, got.Differs)
		}
	}
}

// TestGuardDiffers shows that noble's reader notices each part of the binding.
func TestGuardDiffers(t *testing.T) {
	r := source("differs")
	var g guarded
	for g.binding.Method != "tools/call" || len(g.questions) == 0 {
		g = mintFlow(t, r)[0]
	}
	open := node[openRequest, opened](t, "open.mjs", []openRequest{{[]hexBytes{g.secret}, []byte("parley-guard/1"), g.token}})
	changes := map[string]func(*readRequest){
		"target":    func(q *readRequest) { q.Target += "x" },
		"arguments": func(q *readRequest) { q.Arguments = []byte(`{"other":1}`) },
		"principal": func(q *readRequest) { other := "mallory"; q.Principal = &other },
		"pins":      func(q *readRequest) { q.Questions = q.Questions[1:] },
	}
	for want, change := range changes {
		q := g.request(open[0].Plaintext)
		change(&q)
		got := node[readRequest, read](t, "guard.mjs", []readRequest{q})[0].Differs
		if !slices.Contains(got, want) || want != "pins" && !slices.Contains(got, "tag") {
			t.Errorf("changed %s: noble finds other %v", want, got)
		}
	}
}

type readRequest struct {
	Plaintext hexBytes `json:"plaintext"`
	Audience  string   `json:"audience"`
	Method    string   `json:"method"`
	Target    string   `json:"target"`
	Arguments hexBytes `json:"arguments"`
	Principal *string  `json:"principal"`
	Questions [][2]any `json:"questions"`
}

type read struct {
	Rounds, TTL             int
	IAT, FlowStart, Expires int64
	NoState                 bool
	Pins                    []struct{ Key, Question string }
	Rand, State             hexBytes
	Differs                 []string
}

func (g *guarded) request(plaintext []byte) readRequest {
	q := readRequest{plaintext, audience, g.binding.Method, g.binding.Target, g.binding.Arguments, g.binding.Principal, [][2]any{}}
	for _, asked := range g.questions {
		request := fmt.Appendf(nil, `{"method":%q}`, asked.Method)
		if asked.Params != nil {
			request = fmt.Appendf(nil, ` {"params" : %s, "method":%q}`, asked.Params, asked.Method)
		}
		q.Questions = append(q.Questions, [2]any{asked.Key, hexBytes(request)})
	}
	return q
}

// mintFlow runs a flow of one to three rounds against a Guard of its own.
func mintFlow(t *testing.T, r *rand.Rand) []guarded {
	t.Helper()
	g := guarded{secret: randomBytes(r, 32), binding: randomBinding(r), minutes: 1 + r.IntN(43_200)}
	now := int64(1_785_542_400) + r.Int64N(1<<31)
	salts := &recorder{r: r}
	ttl := time.Duration(g.minutes)*time.Minute - time.Duration(r.IntN(60))*time.Second // rounded up
	guard, err := codec.NewGuard(codec.GuardOptions{
		Codec:    newAEAD(t, g.secret),
		Env:      codec.Env{Rand: salts, Now: func() time.Time { return time.Unix(now, 0) }},
		Audience: audience,
		TTL:      ttl,
	})
	if err != nil {
		t.Fatal(err)
	}
	var minted []guarded
	var token *string
	for range 1 + r.IntN(3) {
		_, x, err := guard.Open(g.binding, token, nil)
		if err != nil {
			t.Fatal(err)
		}
		g.iat, g.questions, g.state = now, randomQuestions(r), nil
		if len(g.questions) == 0 || r.IntN(2) == 0 {
			state := []string{"", "step=1", strings.ToValidUTF8(text(r, 40), "\U0001f600")}[r.IntN(3)]
			g.state = &state
		}
		if g.start == 0 {
			g.start = now
		}
		if len(g.questions) > 0 {
			g.rounds++
		}
		if token, err = guard.Seal(x, g.state, g.questions); err != nil {
			t.Fatal(err)
		}
		g.token, g.salt = *token, salts.last
		minted = append(minted, g)
		now += 1 + r.Int64N(int64(ttl/time.Second))/2
	}
	return minted
}

func randomBinding(r *rand.Rand) codec.Binding {
	b := codec.Binding{
		Method: []string{"tools/call", "prompts/get", "resources/read"}[r.IntN(3)],
		Target: []string{"deploy", "file:///é/\U0001f600", ""}[r.IntN(3)],
	}
	switch r.IntN(8) {
	case 0: // none
	case 1:
		b.Arguments = []byte("null")
	case 2: // no canonical form: bound byte for byte
		b.Arguments = []byte(`{"a":1,"a":` + value(r, 2) + `}`)
	case 3: // one name to a parser that ignores letter case: byte for byte, too
		names := [][2]string{{"Name", "naMe"}, {"K", "\u212a"}, {"\\u017f\\u0041", "sa"}}[r.IntN(3)]
		b.Arguments = []byte(`{"x":[{"` + names[0] + `":1,"` + names[1] + `":` + value(r, 2) + `}]}`)
	default:
		b.Arguments = []byte(`{"x":` + value(r, 3) + `,"n":` + number(r) + `}`)
	}
	switch r.IntN(3) {
	case 0:
	case 1:
		b.Principal = new(string)
	case 2:
		issuer, subject := "https://idp.example", "user \"1\"é"
		b.Principal = codec.Principal(nil, &issuer, &subject)
	}
	return b
}

func randomQuestions(r *rand.Rand) []codec.Question {
	questions := make([]codec.Question, max(0, r.IntN(5)-1))
	for i := range questions {
		questions[i].Key = fmt.Sprintf("é%d", i)
		switch r.IntN(4) {
		case 0:
			questions[i].Method = "roots/list"
		case 1:
			questions[i].Method = "sampling/createMessage"
			questions[i].Params = []byte(`{"_meta":{"a":1},"maxTokens":1e3,"temperature":0.70}`)
		default:
			questions[i].Method = "elicitation/create"
			questions[i].Params = fmt.Appendf(nil, `{ "message":"Sure? %d" ,"_m\u0065ta":null, "requestedSchema" : {"type":"object","properties":{}}}`, r.Uint32())
		}
	}
	return questions
}

// recorder is a source of random bytes that remembers the last it gave.
type recorder struct {
	r    *rand.Rand
	last []byte
}

func (s *recorder) Read(b []byte) (int, error) {
	s.last = randomBytes(s.r, len(b))
	return copy(b, s.last), nil
}
