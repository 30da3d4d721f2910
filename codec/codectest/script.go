package codectest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-mcp/parley/codec"
)

// script is the state of a vector while it runs.
type script struct {
	host Host

	codec    codec.Codec
	box      Box
	guard    Guard
	exchange Exchange

	random []byte
	now    int64 // Unix s
	used   store
	token  string // the last one minted
}

// arguments of every call; each uses some.
type arguments struct {
	Keys     string
	MaxToken int

	Context   string
	Plaintext *string
	Hex       *string // plaintext that is not printable ASCII
	Repeat    *int    // plaintext of this many bytes "x"
	Token     string
	Insert    string
	Box       string
	Random    string

	Audience       string
	TTL            int64 // s
	MaxFlowAge     int64 // s
	MaxRounds      int
	ProcessLocal   bool
	RequireState   bool
	SingleUse      []string
	Now            int64 // Unix s
	Method         string
	Params, Result *string
	Principal      *string
	Key, JSON      string

	Client, Issuer, Subject *string
}

// call runs one call and returns its answer, a line of JSON.
func (s *script) call(verb, text string) (string, error) {
	var a arguments
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return "", err
	}
	run, ok := verbs[verb]
	if !ok {
		return "", fmt.Errorf("unknown verb %s", verb)
	}
	random, err := hex.DecodeString(a.Random)
	if err != nil {
		return "", err
	}
	s.random = random
	return run(s, &a), nil
}

var verbs = map[string]func(*script, *arguments) string{
	"codec": func(s *script, a *arguments) (out string) {
		var err error
		s.codec, err = s.host.Codec([]byte(a.Keys), codec.CodecOptions{MaxToken: a.MaxToken}, s.env())
		return answer(err)
	},
	"seal": func(s *script, a *arguments) string {
		token, err := s.codec.Seal(a.plaintext(), []byte(a.Context))
		if err != nil {
			return answer(err)
		}
		s.token = token
		return answer(nil, "token", short(token))
	},
	"open": func(s *script, a *arguments) string {
		plaintext, err := s.codec.Open(s.last(a.Token), []byte(a.Context))
		if err != nil {
			return answer(err)
		}
		return shown(plaintext)
	},
	// Every character of the last token replaced, and every shorter token.
	"mutate": func(s *script, a *arguments) string {
		var results []string
		for i := range len(s.token) {
			changed := []byte(s.token)
			changed[i] = "BA"[btoi(changed[i] == 'B')]
			results = append(results, s.opened(string(changed), a.Context), s.opened(s.token[:i], a.Context))
		}
		slices.Sort(results)
		counts := []any{}
		for i := 0; i < len(results); {
			n := 1
			for i+n < len(results) && results[i+n] == results[i] {
				n++
			}
			counts = append(counts, results[i], n)
			i += n
		}
		return answer(nil, counts...)
	},
	// A text put in at the start, in the middle and at the end of the last token.
	"insert": func(s *script, a *arguments) string {
		var results []any
		for i, name := range []string{"start", "middle", "end"} {
			at := i * len(s.token) / 2
			results = append(results, name, s.opened(s.token[:at]+a.Insert+s.token[at:], a.Context))
		}
		return answer(nil, results...)
	},
	"box": func(s *script, a *arguments) string {
		var err error
		s.box, err = s.host.Box([]byte(a.Keys))
		return answer(err)
	},
	"box-seal": func(s *script, a *arguments) string {
		box, err := s.box.SealBytes(a.plaintext(), []byte(a.Context))
		if err != nil {
			return answer(err)
		}
		return answer(nil, "box", hex.EncodeToString(box))
	},
	"box-open": func(s *script, a *arguments) string {
		box, _ := hex.DecodeString(a.Box)
		plaintext, err := s.box.OpenBytes(box, []byte(a.Context))
		if err != nil {
			return answer(err)
		}
		return shown(plaintext)
	},
	"guard": func(s *script, a *arguments) string {
		var err error
		s.guard, err = s.host.Guard([]byte(a.Keys), a.MaxToken, codec.GuardOptions{
			Env:          s.env(),
			Audience:     a.Audience,
			ProcessLocal: a.ProcessLocal,
			TTL:          time.Duration(a.TTL) * time.Second,
			MaxFlowAge:   time.Duration(a.MaxFlowAge) * time.Second,
			MaxRounds:    a.MaxRounds,
			RequireState: a.RequireState,
			Replay:       &s.used,
			SingleUse:    a.SingleUse,
		})
		return answer(err)
	},
	// The replay store fails from here on.
	"break-store": func(s *script, a *arguments) string {
		s.used.broken = true
		return answer(nil)
	},
	"inbound": func(s *script, a *arguments) string {
		s.now, s.used.noted = a.Now, nil
		params := []byte(strings.ReplaceAll(*a.Params, "@state", s.token))
		opened, x, err := s.guard.Inbound(a.Method, params, a.Principal)
		s.exchange = x
		if err != nil {
			return refused(err)
		}
		members := []any{"params", nil}
		if !bytes.Equal(opened, params) {
			members[1] = string(opened)
		}
		if x == nil {
			members = append(members, "guarded", false)
		}
		return answer(nil, append(members, s.used.noted...)...)
	},
	"outbound": func(s *script, a *arguments) string {
		s.now = a.Now
		sealed, err := s.guard.Outbound(s.exchange, []byte(*a.Result))
		if err != nil {
			return refused(err)
		}
		if string(sealed) == *a.Result {
			return answer(nil, "result", nil)
		}
		var minted struct{ RequestState string }
		if err := json.Unmarshal(sealed, &minted); err != nil {
			return answer(err)
		}
		s.token = minted.RequestState
		return answer(nil, "result", string(sealed))
	},
	"verdict": func(s *script, a *arguments) string {
		v := s.exchange.Verdict(a.Key, a.Method, a.params())
		return answer(nil, "verdict", [...]string{"missing", "same", "changed", "unpinned", "unproven"}[v])
	},
	"question": func(s *script, a *arguments) string {
		digest, err := s.host.Question(a.Key, a.Method, a.params())
		if err != nil {
			return answer(err)
		}
		return answer(nil, "digest", hex.EncodeToString(digest[:]))
	},
	"principal": func(s *script, a *arguments) string {
		return answer(nil, "principal", *codec.Principal(a.Client, a.Issuer, a.Subject))
	},
	"canonical": func(s *script, a *arguments) string {
		canonical, ok := s.host.Canonical([]byte(a.JSON))
		if !ok {
			return answer(nil, "canonical", nil)
		}
		return answer(nil, "canonical", string(canonical))
	},
}

func (s *script) env() codec.Env {
	return codec.Env{Rand: (*randomness)(s), Now: func() time.Time { return time.Unix(s.now, 0) }}
}

// randomness gives the bytes a call came with, and then fails.
type randomness script

func (r *randomness) Read(p []byte) (int, error) {
	if len(r.random) == 0 {
		return 0, errors.New("the vector gives no more random bytes")
	}
	n := copy(p, r.random)
	r.random = r.random[n:]
	return n, nil
}

func (s *script) last(token string) string {
	if token == "@last" {
		return s.token
	}
	return token
}

// opened is how a token fares: "opened" or the reason.
func (s *script) opened(token, context string) string {
	_, err := s.codec.Open(token, []byte(context))
	if err == nil {
		return "opened"
	}
	return reason(err).Code.Error()
}

func (a *arguments) plaintext() []byte {
	switch {
	case a.Hex != nil:
		plaintext, _ := hex.DecodeString(*a.Hex)
		return plaintext
	case a.Repeat != nil:
		return bytes.Repeat([]byte("x"), *a.Repeat)
	case a.Plaintext != nil:
		return []byte(*a.Plaintext)
	}
	return nil
}

func (a *arguments) params() []byte {
	if a.Params == nil {
		return nil
	}
	return []byte(*a.Params)
}

// store is the replay store of a vector.
type store struct {
	ids    [][16]byte
	noted  []any
	broken bool
}

func (s *store) Consume(id [16]byte, expires time.Time) (bool, error) {
	if s.broken {
		return false, errors.New("broken")
	}
	s.noted = []any{"consume", hex.EncodeToString(id[:]), "expires", expires.Unix()}
	first := !slices.Contains(s.ids, id)
	s.ids = append(s.ids, id)
	return first, nil
}

// answer is a line of JSON: an error, or members in their order.
func answer(err error, members ...any) string {
	if err != nil {
		e := reason(err)
		members = []any{"error", int(e.Code), "text", (&codec.Error{Code: e.Code, Detail: e.Detail}).Error()}
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for i := 0; i < len(members); i += 2 {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(encode(members[i]))
		out.WriteByte(':')
		out.Write(encode(members[i+1]))
	}
	out.WriteByte('}')
	return out.String()
}

// refused is an error of a Guard, with what the client gets.
func refused(err error) string {
	text := answer(err)
	return text[:len(text)-1] + `,"client":` + string(reason(err).AppendResponse(nil)) + "}"
}

func reason(err error) *codec.Error {
	var e *codec.Error
	if !errors.As(err, &e) {
		panic(fmt.Sprintf("%T is no error of codec: %v", err, err))
	}
	return e
}

func encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// shown is a plaintext: as text if it is printable ASCII, else as hexadecimal.
func shown(plaintext []byte) string {
	for _, b := range plaintext {
		if b < ' ' || b > '~' {
			return answer(nil, "hex", hex.EncodeToString(plaintext))
		}
	}
	return answer(nil, "plaintext", short(string(plaintext)))
}

// short is a text, or its length and SHA-256 where it is long.
func short(text string) string {
	if len(text) <= 2000 {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%d characters, sha256 %x", len(text), sum)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
