// Package codectest checks implementations of [codec.Codec], and replays the
// vectors of codec/testdata/vectors against a host of the codec.
package codectest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// Run checks that c does what a [codec.Guard] relies on: it gives back what it
// sealed, hides it, and opens nothing else. other is a codec of the same kind
// with other keys; maxToken is the longest token c mints, in characters.
//
// Beyond maxToken, Seal and Open fail with refusal.TooLarge. A token has one
// spelling: encoding/base64 skips line ends, even if it is strict. An empty
// plaintext is opened as an empty slice that is not nil.
func Run(t *testing.T, c, other codec.Codec, maxToken int) {
	t.Helper()
	for _, defect := range Defects(c, other, maxToken) {
		t.Error(defect)
	}
}

// Defects are what [Run] finds, one line each.
func Defects(c, other codec.Codec, maxToken int) []string {
	r := new(report)
	context := []byte(codec.ContextGuard)
	seal := func(plaintext []byte) string {
		token, err := c.Seal(plaintext, context)
		switch {
		case err != nil:
			r.add("Seal of %d bytes: %v", len(plaintext), err)
			runtime.Goexit() // the check cannot go on: see run
		case token == "" || !utf8.ValidString(token):
			r.add("Seal of %d bytes: a token is text, in UTF-8, and not empty", len(plaintext))
			runtime.Goexit()
		}
		return token
	}

	r.run("round trip", func() {
		for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 1000} {
			plaintext := bytes.Repeat([]byte{0xA5}, n)
			token := seal(plaintext)
			got, err := c.Open(token, context)
			if err != nil || !bytes.Equal(got, plaintext) {
				r.add("%d bytes: got %x, %v", n, got, err)
			}
			if got == nil {
				r.add("%d bytes: opened as nil", n)
			}
		}
	})

	r.run("arguments stay the caller's", func() {
		plaintext, ad := []byte("plaintext of the caller"), []byte("context of the caller")
		token, err := c.Seal(plaintext, ad)
		if err != nil {
			r.add("Seal: %v", err)
			return
		}
		opened, err := c.Open(token, ad)
		if err != nil {
			r.add("Seal: %v", err)
			return
		}
		clear(opened)
		if string(plaintext) != "plaintext of the caller" || string(ad) != "context of the caller" {
			r.add("an argument was changed")
		}
		if again, err := c.Open(token, ad); err != nil || string(again) != "plaintext of the caller" {
			r.add("opening twice: got %q, %v", again, err)
		}
	})

	r.run("confidential", func() {
		secret := []byte("the person's answer, 0123456789")
		token := seal(secret)
		for _, form := range readable(secret) {
			for _, text := range texts(token) {
				if i := longestShared(text, form); i >= 8 {
					r.add("the token shows %d bytes of its plaintext", i)
				}
			}
		}
		// A form may begin alike; a nonce that repeats shows in what follows.
		a, b := seal([]byte("1: the rest of these two plaintexts is one")), seal([]byte("2: the rest of these two plaintexts is one"))
		for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
			a, b = a[1:], b[1:]
		}
		if n := longestShared([]byte(a), []byte(b)); n > 12 {
			r.add("two plaintexts give tokens that share %d characters", n)
		}
	})

	r.run("every character counts", func() {
		token := seal([]byte("some state"))
		for i := range len(token) {
			for _, bit := range []byte{1, 2, 4, 8, 16, 32, 64, 128} {
				changed := []byte(token)
				changed[i] ^= bit
				r.refuse(c, string(changed), context, fmt.Sprintf("bit %#x of character %d flipped", bit, i))
			}
		}
	})

	r.run("truncation", func() {
		token := seal([]byte("some state"))
		for n := range len(token) {
			r.refuse(c, token[:n], context, fmt.Sprintf("cut to %d characters", n))
			r.refuse(c, token[len(token)-n:], context, fmt.Sprintf("only the last %d characters", n))
		}
	})

	r.run("one spelling", func() {
		for _, plaintext := range []string{"", "a", "ab", "abc"} {
			token := seal([]byte(plaintext))
			for _, extra := range []string{"=", "==", "\n", "\r", " ", "\t", "\x00", "A", "+", "/", "é", ".", token} {
				for _, at := range []int{0, len(token) / 2, len(token)} {
					r.refuse(c, token[:at]+extra+token[at:], context, fmt.Sprintf("%q put in at %d", extra, at))
				}
			}
			for last := range 256 {
				if changed := token[:len(token)-1] + string([]byte{byte(last)}); changed != token {
					r.refuse(c, changed, context, fmt.Sprintf("last character %#x", last))
				}
			}
			if upper := strings.ToUpper(token); upper != token {
				r.refuse(c, upper, context, "upper case")
			}
		}
	})

	r.run("context", func() {
		token := seal([]byte("some state"))
		for _, other := range []string{"", "parley-guard/", "parley-guard/1 ", "parley-guard/2", codec.ContextSDK} {
			r.refuse(c, token, []byte(other), fmt.Sprintf("context %q", other))
		}
		moved, err := c.Seal([]byte("/1some state"), []byte("parley-guard"))
		if err != nil {
			r.add("Seal: %v", err)
			return
		}
		r.refuse(c, moved, context, "bytes moved between context and plaintext")
	})

	r.run("key", func() {
		r.refuse(other, seal([]byte("some state")), context, "another key")
	})

	r.run("size cap", func() {
		if _, err := c.Seal(make([]byte, maxToken), context); !errors.Is(err, refusal.TooLarge) {
			r.add("Seal of %d bytes: got %v, want %v", maxToken, err, refusal.TooLarge)
		}
		if _, err := c.Open(strings.Repeat("A", maxToken+1), context); !errors.Is(err, refusal.TooLarge) {
			r.add("Open of %d characters: got %v, want %v", maxToken+1, err, refusal.TooLarge)
		}
	})

	r.run("concurrent", func() {
		var all sync.WaitGroup
		for worker := range 8 {
			all.Go(func() {
				for i := range 50 {
					want := fmt.Sprintf("state %d of worker %d", i, worker)
					token, err := c.Seal([]byte(want), context)
					if err != nil {
						r.add("Seal: %v", err)
						return
					}
					if got, err := c.Open(token, context); err != nil || string(got) != want {
						r.add("got %q, %v, want %q", got, err, want)
						return
					}
				}
			})
		}
		all.Wait()
	})
	return r.found
}

// report collects what a check finds, a bounded number of lines for each.
type report struct {
	check string
	mu    sync.Mutex
	count map[string]int
	found []string
}

// run does a check in a goroutine of its own, which the check may end.
func (r *report) run(check string, f func()) {
	r.check = check
	var done sync.WaitGroup
	done.Go(func() {
		defer func() {
			if what := recover(); what != nil {
				r.add("the codec panics: %v", what)
			}
		}()
		f()
	})
	done.Wait()
}

func (r *report) add(format string, values ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == nil {
		r.count = map[string]int{}
	}
	if r.count[r.check]++; r.count[r.check] <= 5 {
		r.found = append(r.found, r.check+": "+fmt.Sprintf(format, values...))
	}
}

// refuse checks that a token does not open and that nothing of it comes out.
func (r *report) refuse(c codec.Codec, token string, context []byte, what string) {
	if plaintext, err := c.Open(token, context); err == nil || plaintext != nil {
		r.add("%s: opened as %x, %v", what, plaintext, err)
	}
}

// readable are the ways in which a token that only signs would show a plaintext.
func readable(plaintext []byte) [][]byte {
	return [][]byte{plaintext, []byte(hex.EncodeToString(plaintext)), []byte(strings.ToUpper(hex.EncodeToString(plaintext)))}
}

// texts are the token and what its parts decode to as base64, wherever they
// begin.
func texts(token string) [][]byte {
	all := [][]byte{[]byte(token)}
	parts := strings.FieldsFunc(token, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_", r)
	})
	standard := strings.NewReplacer("-", "+", "_", "/")
	for _, part := range parts {
		part = standard.Replace(part)
		for skip := range min(4, len(part)) {
			whole := part[skip:]
			if len(whole)%4 == 1 {
				whole = whole[:len(whole)-1]
			}
			decoded, _ := base64.RawStdEncoding.DecodeString(whole)
			all = append(all, decoded)
		}
	}
	return all
}

// longestShared is the length of the longest run of bytes in both.
func longestShared(a, b []byte) int {
	longest := 0
	for i := range a {
		for j := range b {
			n := 0
			for i+n < len(a) && j+n < len(b) && a[i+n] == b[j+n] {
				n++
			}
			longest = max(longest, n)
		}
	}
	return longest
}
