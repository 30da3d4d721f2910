package cookies_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/internal/cookies"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

const corpus = "../../../testdata/cookies"

// TestCorpus replays hosts/testdata/cookies, whose README says what the lines mean.
func TestCorpus(t *testing.T) {
	paths, err := filepath.Glob(corpus + "/*.txt")
	if err != nil || len(paths) < 40 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fact, script, found := strings.Cut(string(text), "\n\nurl ")
			if !found || !strings.HasPrefix(fact, "# ") {
				t.Fatal("no fact, or no url")
			}
			replay(t, strings.Split(strings.TrimSuffix(enginetest.Expand(script), "\n"), "\n"))
		})
	}
}

func replay(t *testing.T, lines []string) {
	address, err := url.Parse(lines[0])
	if err != nil {
		t.Fatal(err)
	}
	jar := cookies.New(address)
	kept := jar.Of(0)
	for _, line := range lines[1:] {
		time, rest, _ := strings.Cut(line, " ")
		now := at(t, time)
		switch verb, value, _ := strings.Cut(rest, " "); verb {
		case "account":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			kept = jar.Of(n)
		case "set":
			kept.Take([]string{raw(value)}, now)
		case "sends":
			if got := kept.Field(now); got != raw(value) {
				t.Errorf("%s: got %q, want %q", time, got, raw(value))
			}
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
}

// at is the time of a line.
func at(t *testing.T, seconds string) int64 {
	d, err := time.ParseDuration(seconds + "s")
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2026, time.October, 16, 12, 0, 0, 0, time.UTC).Add(d).UnixMilli()
}

var escape = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// raw puts bytes in the place of escapes.
func raw(text string) string {
	return escape.ReplaceAllStringFunc(text, func(x string) string {
		b, _ := strconv.ParseUint(x[2:], 16, 8)
		return string([]byte{byte(b)})
	})
}

// FuzzTake holds what comes back to what may stand in a header field, and to the
// bounds.
func FuzzTake(f *testing.F) {
	for _, seed := range []string{"node=a; Path=/; Max-Age=10", "a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", " =;;=\x00", "a=\xff; secure"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		jar := cookies.New(&url.URL{Scheme: "https", Host: "server.example", Path: "/mcp"})
		for range 30 {
			jar.Of(0).Take([]string{first, second, "n" + first, second + "x"}, 0)
		}
		field := jar.Of(0).Field(0)
		if strings.ContainsAny(field, "\r\n\x00") || len(field) > 50*(4096+3) || strings.Trim(field, " \t") != field {
			t.Errorf("got %q", field)
		}
		if n := strings.Count(field, "; ") + 1; n > 50 {
			t.Errorf("%d cookies", n)
		}
	})
}
