package stories

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// sealer signs what one round tells the next.
// It will be replaced by Parley's codec, which also encrypts.
//
// A state is bound to its request and expires, but it is not bound to a user
// (the server has none) and not used up: whoever holds it may send it again
// until then. Where that matters a server has to remember what it has done.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, server requirements 4 and 5.
type sealer struct {
	key [32]byte
	ttl time.Duration
	now func() time.Time
}

// progress is what a requestState says.
type progress struct {
	Keys  []string        `json:"keys,omitempty"`  // questions put in the last round
	Tries int             `json:"tries,omitempty"` // how often in a row they were put
	Facts json.RawMessage `json:"facts,omitempty"` // what earlier answers established
}

type envelope struct {
	Expires  int64    `json:"exp"` // Unix milliseconds
	Progress progress `json:"p"`
}

// The causes go to the log; the client learns none of them.
var (
	errForged  = errors.New("stories: open state: not signed for this request")
	errExpired = errors.New("stories: open state: expired")
)

func newSealer(ttl time.Duration, now func() time.Time) *sealer {
	if ttl == 0 {
		ttl = 10 * time.Minute
	}
	if now == nil {
		now = time.Now
	}
	s := &sealer{ttl: ttl, now: now}
	rand.Read(s.key[:]) // never fails
	return s
}

// seal returns "payload.mac", both in unpadded base64url.
func (s *sealer) seal(request [32]byte, p progress) (string, error) {
	payload, err := json.Marshal(envelope{s.now().Add(s.ttl).UnixMilli(), p})
	if err != nil {
		return "", err
	}
	body := base64.RawURLEncoding.EncodeToString(payload)
	return body + "." + s.mac(request, body), nil
}

// open returns what the state says if this server sealed it for this request.
func (s *sealer) open(request [32]byte, state string) (progress, error) {
	body, mac, _ := strings.Cut(state, ".")
	// Compared as text, so that no state has a second spelling.
	if !hmac.Equal([]byte(mac), []byte(s.mac(request, body))) {
		return progress{}, errForged
	}
	payload, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return progress{}, errForged
	}
	var e envelope
	if err := json.Unmarshal(payload, &e); err != nil {
		return progress{}, errForged
	}
	if s.now().UnixMilli() >= e.Expires {
		return progress{}, errExpired
	}
	return e.Progress, nil
}

func (s *sealer) mac(request [32]byte, body string) string {
	h := hmac.New(sha256.New, s.key[:])
	h.Write([]byte("parley go-server state v1\n"))
	h.Write(request[:])
	h.Write([]byte(body))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// digest identifies a request: the method, the name or URI, and the arguments
// as the story reads them, so that spelling a number or ordering members
// differently makes no difference and saying something else does.
func digest(method, name string, args any) ([32]byte, error) {
	text, err := json.Marshal([]any{method, name, args})
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(text), nil
}

// invalidState is the one answer to every state that does not open.
func invalidState() error {
	return &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidParams,
		Message: "Invalid or expired requestState",
		Data:    json.RawMessage(`{"reason":"invalid_request_state"}`),
	}
}
