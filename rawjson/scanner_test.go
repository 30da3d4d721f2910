package rawjson_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/rawjson"
)

// hostile are texts that end or break in every state of a scanner.
var hostile = []string{
	``, ` `, `{}`, ` { } `, `[]`, `[ ]`, `{"a":1}`, `{"a" : [1 , 2 ] , "b":{}}`, `{"a":1,}`, `[1,]`, `{,}`, `{"a"}`, `{"a":}`, `{a:1}`, `[1 2]`, `{"a":1 "b":2}`,
	`"\u00e9\ud83d\ude00"`, `"\u00g0"`, `"\u12`, `"\`, `"\x"`, "\"a\x01b\"", `"abc`, `"\\\\\""`, `{"\u0061":1,"a":2}`,
	`true`, `tru`, `trux`, `false`, `null`, `nul`, `nulll`, `0`, `-0`, `01`, `-`, `-a`, `1.`, `1.x`, `1.5`, `1e`, `1e+`, `1e+x`, `1E-10`, `1e5x`, `-1.25e-3 `, `12 34`,
	`[true,false,null,-1.5e+3,"x"]`, `[truefalse]`, `[1.,2]`, `[-]`, `[1e]`, `{"a":tru`, `{"a":-`, `{"a":1.`, `{"a":1e-`, `{"a":1`, `{"a":[1,{"b":`, `{"a":"\u00`, "\xef\xbb\xbf{}", `{} {}`, `{}x`, `]`, `}`,
	strings.Repeat(`[`, 70) + strings.Repeat(`]`, 70), strings.Repeat(`{"a":`, 65) + `1` + strings.Repeat(`}`, 65), strings.Repeat(`[`, rawjson.MaxDepth+1), strings.Repeat(`[`, 70) + `}`,
}

// scanned is what a scanner says of a text that comes in parts: what it stopped
// at, and what is wrong.
func scanned(levels int, parts ...string) (stops []int, bad *rawjson.Error) {
	s := rawjson.Scanner{Levels: levels}
	for _, part := range parts {
		for i, stop := 0, rawjson.Stop(0); ; {
			base := s.Base
			if i, stop = s.Scan([]byte(part), i); stop == rawjson.StopPart || stop == rawjson.StopFault {
				break
			}
			stops = append(stops, int(stop), base+i)
			if stop == rawjson.StopName {
				stops = append(stops, s.From)
			}
		}
	}
	return stops, s.Finish()
}

// A scanner says of every text what Value says of it, and says the same however
// it is cut.
func TestScanner(t *testing.T) {
	for _, text := range hostile {
		wantStops, bad := scanned(3, text)
		if !same(bad, valued(text)) {
			t.Errorf("%.80q: got %v, want %v", text, bad, valued(text))
		}
		if len(text) > 1000 {
			continue
		}
		check := func(parts ...string) {
			t.Helper()
			stops, got := scanned(3, parts...)
			if !same(got, bad) {
				t.Fatalf("%.80q: got %v, want %v", parts, got, bad)
			}
			if bad == nil && len(stops) != len(wantStops) {
				t.Fatalf("%.80q: got %d stops, want %d", parts, stops, wantStops)
			}
			for i := range min(len(stops), len(wantStops)) {
				if stops[i] != wantStops[i] {
					t.Fatalf("%.80q: got %d, want %d", parts, stops, wantStops)
				}
			}
		}
		for i := range len(text) + 1 {
			check(text[:i], text[i:])
		}
		check(strings.Split(text, "")...)
	}
}

func valued(text string) *rawjson.Error {
	_, bad := rawjson.Value([]byte(text))
	return bad
}

func same(a, b *rawjson.Error) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// FuzzScanner: as TestScanner, with any text cut at any two places.
func FuzzScanner(f *testing.F) {
	for i, text := range hostile {
		f.Add([]byte(text), uint(i), uint(2*i))
	}
	f.Fuzz(func(t *testing.T, text []byte, i, k uint) {
		a := int(i % uint(len(text)+1))
		b := a + int(k%uint(len(text)-a+1))
		want := valued(string(text))
		if _, got := scanned(2, string(text[:a]), string(text[a:b]), string(text[b:])); !same(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
