package sentence_test

import (
	"fmt"
	"testing"

	"github.com/parley-mcp/parley/sentence"
)

func Example() {
	german := map[string]string{
		"{0}: {1}":                               "{0}: {1}",
		"the server asks again after {0} rounds": "nach {0} Runden fragt der Server noch einmal",
		"params is not an object":                "params ist kein Objekt",
		"inputRequests[{0}]: {1}":                "{1} (inputRequests[{0}])",
	}
	in := func(template string) string { return german[template] }
	rounds := sentence.Say("the server asks again after {0} rounds", sentence.Value("3"))
	entry := sentence.Say("inputRequests[{0}]: {1}", sentence.Value(`"size"`), "params is not an object")
	fmt.Println(rounds)
	fmt.Println(rounds.In(in))
	fmt.Println(entry)
	fmt.Println(entry.In(in))
	fmt.Println(entry.Parts())
	// Output:
	// the server asks again after 3 rounds
	// nach 3 Runden fragt der Server noch einmal
	// inputRequests["size"]: params is not an object
	// params ist kein Objekt (inputRequests["size"])
	// inputRequests[{0}]: {1} [{"size" } {params is not an object params is not an object}]
}

// What another program says comes back as it was, whether it is a sentence or
// words, and no words can pass for more than words.
func TestFrom(t *testing.T) {
	plain := sentence.Text("it broke")
	deep := sentence.Say("{0}: {1}", plain, sentence.Say("{0} at byte {1}", "unexpected end", sentence.Value("7")))
	for _, want := range []sentence.Text{"", plain, deep, sentence.Value("ECONNRESET"), sentence.Value("in {0} words"), sentence.Say("{0} is missing", sentence.Value(""))} {
		if got := sentence.From(want.Marked()); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, words := range []string{"ECONNRESET", "\x02open", "\x02a\x03b\x02c\x03", "shut\x03", "\x03a\x02", "\x01a\x03", "\x02\x02a\x03"} {
		got := sentence.From(words)
		if template, params := got.Parts(); template != "{0}" || len(params) != 1 || params[0].Sentence != "" || got.String() != params[0].Words {
			t.Errorf("%q: got %q", words, got)
		}
	}
}

// A template without a translation is said in English, inside one that has one
// too, and what a server says is never taken for a template.
func TestIn(t *testing.T) {
	texts := map[string]string{"the host refused": "der Host lehnte ab", "{0}: {1}": "{1} – {0}"}
	in := func(template string) string { return texts[template] }
	for want, said := range map[string]sentence.Text{
		"broken {0} – der Host lehnte ab":  sentence.Say("{0}: {1}", "the host refused", sentence.Value("broken {0}")),
		"it was lost – der Host lehnte ab": sentence.Say("{0}: {1}", "the host refused", "it was lost"),
		"the host refused – it was lost":   sentence.Say("{0}: {1}", "it was lost", sentence.Value("the host refused")),
		"der Host lehnte ab":               "the host refused",
	} {
		if got := said.In(in); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzFrom(f *testing.F) {
	f.Add("\x02the server asks after \x01{0}\x03 rounds\x03")
	f.Fuzz(func(t *testing.T, words string) {
		said := sentence.From(words)
		if said != "" && sentence.From(said.Marked()) != said {
			t.Errorf("%q: got %q, and then %q", words, said, sentence.From(said.Marked()))
		}
		if said.In(func(string) string { return "" }) != said.String() {
			t.Errorf("%q: in English: %q, want %q", words, said.In(func(string) string { return "" }), said)
		}
	})
}
