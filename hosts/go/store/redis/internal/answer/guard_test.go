package answer

import (
	"strings"
	"testing"
)

// Answers that can be pass, however they are cut into pieces; those that cannot do
// not.
func TestGuard(t *testing.T) {
	for answer, want := range map[string]bool{
		"+OK\r\n": true, "$5\r\n\n\r\n*9\r\n$-1\r\n:1\r\n": true, "*2\r\n$1\r\na\r\n%1\r\n+a\r\n_\r\n": true, ">3\r\n+message\r\n$1\r\nc\r\n$0\r\n\r\n": true,
		",1.5\r\n#t\r\n(123\r\n": true, "*-1\r\n": true,
		"*-7\r\n": false, "$99999999999999999999\r\n": false, "*1048577\r\n": false, "$67108865\r\n": false, "garbage\r\n": false, "\r\n": false,
		strings.Repeat("*1\r\n", 16) + ":1\r\n": true, strings.Repeat("*1\r\n", 17): false, strings.Repeat("*2\r\n:1\r\n", 17): false,
		strings.Repeat("*2\r\n:1\r\n*1\r\n:1\r\n", 100): true, strings.Repeat("%1\r\n+a\r\n*0\r\n", 100): true, "|1\r\n": false,
		"$?\r\n": false, "+OK\r\nx": false, "$1\r\nab": true, "$1\r\na\r\nb": false,
	} {
		for size := 1; size <= len(answer); size++ {
			var g Guard
			got := true
			for at := 0; at < len(answer) && got; at += size {
				piece := []byte(answer[at:min(at+size, len(answer))])
				got = g.follow(piece) == len(piece)
			}
			if got != want {
				t.Errorf("%q in pieces of %d: got %v", answer, size, got)
			}
		}
	}
}

// What passes does not depend on the pieces that it comes in.
func FuzzGuard(f *testing.F) {
	f.Add([]byte("*2\r\n$1\r\na\r\n%1\r\n+a\r\n_\r\n"), 3)
	f.Add([]byte("$99999999999999999999\r\n"), 1)
	f.Fuzz(func(t *testing.T, answer []byte, size int) {
		size = max(1, min(size, len(answer)))
		var whole, pieces Guard
		want := whole.follow(answer) == len(answer)
		got := true
		for at := 0; at < len(answer) && got; at += size {
			piece := answer[at:min(at+size, len(answer))]
			got = pieces.follow(piece) == len(piece)
		}
		if got != want {
			t.Errorf("%q: whole %v, in pieces of %d %v", answer, want, size, got)
		}
	})
}
