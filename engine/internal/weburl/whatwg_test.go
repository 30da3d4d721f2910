package weburl_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/internal/weburl"
)

// whatwg reads urls with Node's URL, which is WHATWG's parser: one JSON string
// a line in, one answer a line out, null for what it refuses.
const whatwg = `
const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean)
process.stdout.write(lines.map((line) => {
  try {
    const u = new URL(JSON.parse(line))
    return JSON.stringify({ protocol: u.protocol, hostname: u.hostname, user: u.username + u.password })
  } catch { return "null" }
}).join("\n") + "\n")`

type parsed struct{ Protocol, Hostname, User string }

func parseWithNode(t *testing.T, urls []string) []*parsed {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no node on PATH")
		}
		t.Skip("there is no node on PATH")
	}
	var in bytes.Buffer
	for _, u := range urls {
		line, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command(node, "-e", whatwg)
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := make([]*parsed, 0, len(urls))
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		var p *parsed
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, p)
	}
	if len(answers) != len(urls) {
		t.Fatalf("got %d answers for %d urls", len(answers), len(urls))
	}
	return answers
}

// TestAcceptedURLsHaveTheSameHostInWHATWG is the promise of this package, over
// urls put together from parts that parsers disagree about and then damaged.
func TestAcceptedURLsHaveTheSameHostInWHATWG(t *testing.T) {
	random := rand.New(rand.NewPCG(2026, 7))
	urls := make([]string, 60_000)
	for i := range urls {
		urls[i] = strangeURL(random)
	}
	var accepted, loopback, number, punycode, refusedPunycode, stricter int
	for i, p := range parseWithNode(t, urls) {
		hints, fault := weburl.Check(urls[i])
		if fault != "" {
			if p != nil {
				stricter++
			}
			continue
		}
		checkHints(t, urls[i], hints)
		if p == nil {
			// WHATWG checks what an xn-- label decodes to, which takes IDNA's tables.
			if refusedPunycode++; !hints.Punycode {
				t.Errorf("Check(%q) accepted what WHATWG refuses", urls[i])
			}
			continue
		}
		scheme, _, _ := strings.Cut(strings.ToLower(urls[i]), "//")
		if *p != (parsed{Protocol: scheme, Hostname: hints.Host}) {
			t.Errorf("Check(%q): got host %q, WHATWG has %+v", urls[i], hints.Host, *p)
		}
		accepted++
		if hints.Loopback {
			loopback++
		}
		if strings.Trim(hints.Host, "0123456789.") == "" {
			number++
		}
		if hints.Punycode {
			punycode++
		}
	}
	t.Logf("accepted %d: loopback %d, numbers %d, punycode %d; punycode that WHATWG refuses %d; refused here alone %d",
		accepted, loopback, number, punycode, refusedPunycode, stricter)
	if accepted < 10_000 || loopback < 1000 || number < 500 || punycode < 500 || refusedPunycode < 20 || stricter < 10_000 {
		t.Error("too few of a kind to mean anything")
	}
}

func strangeURL(random *rand.Rand) string {
	pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
	// odd makes every part of the url odd with the same chance, none to half.
	chance := random.IntN(6)
	odd := func() bool { return random.IntN(10) < chance }
	part := func(plain []string, strange ...string) string {
		if odd() {
			return pick(strange...)
		}
		return pick(plain...)
	}
	label := func() string {
		return part([]string{"example", "Com", "a", "A1", "localhost", "xn--e1afmkfd", "xn--p1ai", "XN--P1AI", "a--b", "ab--c", "_x", "-a", "a-", "127", "1e3"},
			"xn--a", "xn--example-", "xn--", "xn--99999", "xn--strae-oqa", "xn--0ca", "xn---", "xn--a-0", "-", "0", "1", "255", "256", "0x7f", "0x", "0xg",
			"0X1", "01", "09", "0b1", "٣", "ｅ", "é", "ß", "%61", "%2e", "", "a b", strings.Repeat("a", 63), strings.Repeat("a", 64))
	}
	octet := func() string {
		return part([]string{"0", "1", "10", "99", "127", "255"}, "256", "00", "010", "0x1", "")
	}
	var host string
	switch random.IntN(4) {
	case 0:
		host = part([]string{"example.com", "Example.COM", "localhost", "LOCALHOST", "127.0.0.1", "[::1]"}, "127.1", "127.0.0.1.", "[::ffff:7f00:1]",
			"[0::1]", "2130706433", "0x7f.1", "localhost.", "example。com", "a\u00adb.com", "")
	case 1:
		host = pick("127", octet()) + "." + octet() + "." + octet() + "." + octet()
	default:
		labels := make([]string, 1+random.IntN(4))
		for i := range labels {
			labels[i] = label()
		}
		host = strings.Join(labels, part([]string{"."}, "..", "。"))
	}
	url := part([]string{"https", "https", "http", "HTTPS", "Http"}, "javascript", "file", "ftp", "wss", "data") +
		part([]string{"://"}, ":", ":/", ":///", `:\\`, `:/\`) +
		part([]string{""}, "user@", "user:pass@", "@", ":@", "a@b@") +
		host +
		part([]string{"", ":443", ":80", ":8080", ":0", ":65535", ":00443"}, ":", ":65536", ":x", ":1:2", ":٣") +
		part([]string{"", "/", "/a@b", "/a:b", "?q=a@b", "#f@", "//evil.example/", "/%", "/..//"}, `/\evil.example`, "/a b", `\@evil.example`)
	for odd() {
		i := random.IntN(len(url) + 1)
		damage := pick("\t", "\n", " ", "\x00", "\\", "@", ":", "/", "?", "#", "%", ".", "[", "]", "-", "0", "x", "é", "|", "^", "<", "\x7f", "a", "_", "\u00ad", "\u200d", "。", "")
		end := min(len(url), i+random.IntN(2))
		url = url[:i] + damage + url[end:]
	}
	return strings.ToValidUTF8(url, "")
}
