package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

// A message that comes in slices brings about what it does in one piece: cut in
// two at every place, and byte by byte.
func TestCorpusInTwo(t *testing.T) { enginetest.InTwo(t, "../testdata/sessions") }

func TestCorpusInBytes(t *testing.T) {
	enginetest.RunSessions(t, "../testdata/sessions", enginetest.Sliced{Host: enginetest.Native{}, Cut: func(size int) (at []int) {
		for i := range min(size, 4000) {
			at = append(at, i+1)
		}
		return at
	}}, enginetest.Plain)
}

// FuzzSlices plays events in any order to two sessions, one of which gets every
// message in slices: they do the same.
func FuzzSlices(f *testing.F) {
	var events []string
	for _, text := range corpusEvents(f) {
		if !strings.Contains(text, `"type":"part"`) && len(text) < 8<<10 {
			events = append(events, text)
		}
	}
	for seed := range 8 {
		script := make([]byte, 0, 120)
		for i := range 60 {
			script = append(script, byte((i*(2*seed+1)*41+seed)>>2), byte(i*(seed+5)))
		}
		f.Add(uint8(seed|seed<<5), uint16(7*seed), uint16(seed), script)
	}
	f.Fuzz(func(t *testing.T, kind uint8, first, step uint16, script []byte) {
		dialect := []string{"", "SEP-2322", "SEP-2322-draft", "SEP-2322-draft-camel", "SEP-1685"}[(kind>>5)%5]
		request := fmt.Sprintf(`{"capabilities":"{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{}}","known":%q,"cache":%t,"transport":%q}`,
			[]string{"", "2026-07-28", "2025-11-25", "2025-03-26"}[kind>>3&3], kind&4 != 0, []string{"", "stdio"}[kind&1])
		if dialect != "" {
			request = fmt.Sprintf(`%s,"dialect":%q}`, request[:len(request)-1], dialect)
		}
		cut := func(size int) (at []int) {
			for i := int(first); i <= size && len(at) < 20; i += int(step)%4096 + 1 {
				at = append(at, i)
			}
			return at
		}
		whole, bad := enginetest.Native{}.NewSession([]byte(request))
		if bad != nil {
			t.Skip(string(bad)) // a version that is not of the dialect
		}
		sliced, _ := enginetest.Sliced{Host: enginetest.Native{}, Cut: cut}.NewSession([]byte(request))
		same := func(what string, do func(enginetest.Session) []byte) {
			t.Helper()
			want := do(whole)
			if got := do(sliced); string(got) != string(want) {
				t.Fatalf("%s\ngot  %s\nwant %s", what, got, want)
			}
		}
		for i, method := range []string{"tools/call", "tools/call", "tools/list"} {
			same(method, func(s enginetest.Session) []byte {
				s.Call(fmt.Appendf(nil, `{"method":%q,"params":"{}","options":{}}`, method))
				return s.Step(0, fmt.Appendf(nil, `{"type":"begin","watch":true,"call":%d}`, i+1))
			})
		}
		now := int64(0)
		for i := 0; i+1 < len(script) && i < 400; i += 2 {
			now += int64(script[i+1]) * 100
			text := events[(int(script[i])<<8|int(script[i+1]))%len(events)]
			same("the time before "+text, func(s enginetest.Session) []byte { return s.Step(now, []byte(`{"type":"tick"}`)) }) // which a slice may use up
			same(text, func(s enginetest.Session) []byte { return s.Step(now, []byte(text)) })
		}
	})
}
