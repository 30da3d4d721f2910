package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
)

// inspected is what there is to say of a token, as --json prints it.
type inspected struct {
	Suite      string `json:"suite"`
	Key        string `json:"key"`
	KeyRole    string `json:"keyRole,omitempty"` // mints, opens or unknown
	Characters int    `json:"characters"`
	Opened     bool   `json:"opened"`
	Context    string `json:"context,omitempty"`
	Plaintext  *int   `json:"plaintextBytes,omitempty"` // of what no Guard sealed

	Rounds     *int       `json:"rounds,omitempty"`
	Minted     *time.Time `json:"minted,omitempty"`
	Expires    *time.Time `json:"expires,omitempty"`
	FlowStart  *time.Time `json:"flowStart,omitempty"`
	Questions  *int       `json:"questions,omitempty"` // pinned; absent where none were asked
	StateBytes *int       `json:"stateBytes,omitempty"`
	State      *string    `json:"state,omitempty"` // with --state
}

func (c *tokenCommand) inspectVerb() *verb {
	return c.finish(verb{
		name: "token inspect", args: []string{"[FILE] [FLAGS]"}, brief: "show what a token says",
		text: `Shows what a token says: its key, when it was minted and expires, the rounds so
far, how many questions were asked. Without a key file, only what it claims.
Whether the server accepts it depends on the request, too.
`,
		groups: []flags.Group{{Flags: []flags.Flag{
			c.keyFileFlag(), c.contextFlag(),
			{Name: "state", To: &c.state, Text: "also the state that the server's handler set, a secret"},
			{Name: "json", To: &c.json, Text: "as JSON"},
		}}},
		read: c.readFile("inspect"),
	}, func(context.Context, *console.Console) error { return c.inspect() })
}

// inspect prints what a token says. Without keys that is little, and nothing of
// it is authenticated.
func (c *tokenCommand) inspect() error {
	token, err := c.token()
	if err != nil {
		return err
	}
	suite, id, err := codec.Head(token)
	if err != nil {
		return err
	}
	seen := &inspected{Suite: fmt.Sprintf("%02x", suite), Key: fmt.Sprintf("%x", id), Characters: len(token)}
	var failed error
	if c.keyFile != "" {
		ring, err := c.ring()
		if err != nil {
			return err
		}
		seen.KeyRole = role(ring, id)
		failed = c.examine(seen, ring, token)
	}
	if c.json {
		err = json.NewEncoder(c.out).Encode(seen)
	} else {
		_, err = io.WriteString(c.out, seen.text(time.Now(), c.state))
	}
	return errors.Join(err, failed)
}

func role(ring *codec.KeyRing, id codec.KeyID) string {
	switch {
	case ring.Active().ID() == id:
		return "mints"
	case ring.Find(id[:]) != nil:
		return "opens"
	}
	return "unknown"
}

// examine opens a token and notes what is in it.
func (c *tokenCommand) examine(seen *inspected, ring *codec.KeyRing, token string) error {
	plaintext, context, err := c.opened(ring, token)
	if err != nil {
		return err
	}
	seen.Opened, seen.Context = true, context
	if context != codec.ContextGuard {
		n := len(plaintext)
		seen.Plaintext = &n
		return nil
	}
	claims, err := codec.Inspect(plaintext)
	if err != nil {
		return errors.New("it opens, but no Guard of this version sealed what is in it")
	}
	seen.Rounds, seen.Minted, seen.Expires, seen.FlowStart = &claims.Rounds, &claims.Minted, &claims.Expires, &claims.FlowStart
	if claims.Questions >= 0 {
		seen.Questions = &claims.Questions
	}
	if claims.HasState {
		n := len(claims.State)
		seen.StateBytes = &n
		if state := string(claims.State); c.state {
			seen.State = &state
		}
	}
	return nil
}

// opened opens a token under the context that was given, or under those known.
func (c *tokenCommand) opened(ring *codec.KeyRing, token string) (plaintext []byte, context string, err error) {
	opener, err := agecodec.New(ring, rand.Reader, codec.CodecOptions{MaxToken: codec.MaxToken})
	if err != nil {
		return nil, "", err
	}
	contexts := []string{c.context}
	if c.context == "" {
		contexts = []string{codec.ContextSDK, codec.ContextGuard}
	}
	for _, context = range contexts {
		if plaintext, err = opener.Open(token, []byte(context)); err == nil {
			return plaintext, context, nil
		}
	}
	return nil, "", err
}

// token reads a token, with white space around it.
func (c *tokenCommand) token() (string, error) {
	data, err := c.input(codec.MaxToken + 1024)
	return string(bytes.TrimSpace(data)), err
}

// text is what was seen, for people.
func (s *inspected) text(now time.Time, state bool) string {
	var b bytes.Buffer
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s"+format+"\n", append([]any{label}, args...)...)
	}
	line("suite", "%s%s", s.Suite, map[string]string{"11": ", XChaCha20-Poly1305", "21": ", age, compact", "22": ", age file"}[s.Suite])
	line("key", "%s%s", s.Key, map[string]string{"mints": ", the one that mints", "opens": ", which opens and does not mint", "unknown": ", which is not in the key file"}[s.KeyRole])
	line("length", "%d characters", s.Characters)
	switch {
	case s.KeyRole == "":
		line("opens", "not tried: --key-file FILE or %s names the keys", envKeyFile)
		return b.String()
	case !s.Opened:
		line("opens", "no")
		return b.String()
	}
	line("opens", "under the context %s", s.Context)
	if s.Plaintext != nil {
		line("plaintext", "%d bytes; parley token open prints it", *s.Plaintext)
	}
	if s.Rounds == nil {
		return b.String()
	}
	line("rounds", "%d with questions", *s.Rounds)
	line("minted", "%s, %s", s.Minted.Format(time.RFC3339), when(*s.Minted, now))
	line("expires", "%s, %s", s.Expires.Format(time.RFC3339), when(*s.Expires, now))
	line("flow since", "%s, %s", s.FlowStart.Format(time.RFC3339), when(*s.FlowStart, now))
	if s.Questions == nil {
		line("questions", "none")
	} else {
		line("questions", "%d pinned", *s.Questions)
	}
	switch {
	case s.StateBytes == nil:
		line("state", "none was set")
	case !state:
		line("state", "%d bytes; --state prints it", *s.StateBytes)
	default:
		line("state", "%d bytes:", *s.StateBytes)
		fmt.Fprintln(&b, plain.Text(*s.State, codec.MaxToken))
	}
	return b.String()
}

func when(t, now time.Time) string {
	if t.After(now) {
		return "in " + age(t.Sub(now))
	}
	return age(now.Sub(t)) + " ago"
}

func (c *tokenCommand) openVerb() *verb {
	return c.finish(verb{
		name: "token open", args: []string{"[FILE] [FLAGS]"}, brief: "print what was sealed",
		text: `Prints what was sealed, byte for byte. Of a Guard's token that is its claims, and
the state after them: parley token inspect reads those.
`,
		groups: []flags.Group{{Flags: []flags.Flag{c.keyFileFlag(), c.contextFlag()}}},
		read:   c.readFile("open"),
	}, func(context.Context, *console.Console) error { return c.open() })
}

// open prints what was sealed, byte for byte unless somebody looks.
func (c *tokenCommand) open() error {
	ring, err := c.ring()
	if err != nil {
		return err
	}
	token, err := c.token()
	if err != nil {
		return err
	}
	plaintext, _, err := c.opened(ring, token)
	if err != nil {
		return err
	}
	if c.out.terminal {
		plaintext = []byte(plain.Text(string(plaintext), codec.MaxToken) + "\n")
	}
	_, err = c.out.Write(plaintext)
	return err
}

func (c *tokenCommand) sealVerb() *verb {
	return c.finish(verb{
		name: "token seal", args: []string{"[FILE] --context CONTEXT [FLAGS]"}, brief: "make a token",
		text: "Prints a token of what it reads.\n",
		groups: []flags.Group{{
			Flags: []flags.Flag{c.keyFileFlag(), c.contextFlag()},
			Check: func() error {
				if c.context == "" {
					return fmt.Errorf("token seal needs --context, such as %s", codec.ContextSDK)
				}
				return nil
			},
		}},
		read: c.readFile("seal"),
	}, func(context.Context, *console.Console) error { return c.seal() })
}

// seal prints a token of what it reads.
func (c *tokenCommand) seal() error {
	ring, err := c.ring()
	if err != nil {
		return err
	}
	sealer, err := agecodec.New(ring, rand.Reader, codec.CodecOptions{MaxToken: codec.MaxToken})
	if err != nil {
		return err
	}
	plaintext, err := c.input(codec.MaxToken)
	if err != nil {
		return err
	}
	token, err := sealer.Seal(plaintext, []byte(c.context))
	if err == nil {
		_, err = fmt.Fprintln(c.out, token)
	}
	return err
}
