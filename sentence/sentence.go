// Package sentence is what Parley says to people, so that a host can say it in
// their language: each sentence keeps the English template that it was made of
// and the parameters in it.
//
//	detail := sentence.Say("the server asks again after {0} rounds", sentence.Value("3"))
//	detail.String()                     // the server asks again after 3 rounds
//	template, params := detail.Parts()  // the server asks again after {0} rounds; 3
//	detail.In(german)                   // der Server fragt nach 3 Runden noch einmal
//
// The template is the key that a host translates by, as gettext does. No two
// meanings share one, and a test records them all.
package sentence

// Text is a sentence, or a piece of one. A constant of this type is a template
// without parameters; everything else is made by [Say], [Value] and [From].
//
// It is kept as the English words with a mark before and after each parameter,
// so that making one costs no more than joining strings. String takes the marks
// out: a conversion to string does not.
type Text string

// The marks are control characters, which nothing that is said has otherwise.
const (
	value = '\x01' // begins a parameter that is nobody's sentence: a number, a name, a host's own words
	inner = '\x02' // begins a parameter that is a sentence
	end   = '\x03' // ends either
)

// Say puts parameters into a template, in their order: {0}, then {1}.
func Say(template, param Text, more ...Text) Text {
	said := make([]byte, 0, len(template)+32)
	next := 0
	for i := 0; i < len(template); i++ {
		if template[i] != '{' {
			said = append(said, template[i])
			continue
		}
		i += len("0}")
		said = append(append(append(said, inner), param...), end)
		if next < len(more) {
			param = more[next]
		}
		next++
	}
	return Text(said)
}

// About puts words into a template that stay as they are.
func About(template Text, words string) Text { return Say(template, Value(words)) }

// Join says why, or what exactly, after a colon.
func Join(what, why Text) Text { return Say("{0}: {1}", what, why) }

// Value is a parameter that stays as it is in every language.
func Value(words string) Text {
	text := plain(words)
	if len(text) == 0 {
		return ""
	}
	return Text(append(append([]byte{value}, text...), end))
}

// maxParams bounds what another program's sentence may have in it.
const maxParams = 10

// From reads what another program says, marks and all: a sentence in marks, as
// [Text.Marked] writes it, or else words that stay as they are.
func From(words string) Text {
	depth, params, inValue := 0, 0, false
	for i := range len(words) {
		isOdd := false
		switch words[i] {
		case value, inner:
			isOdd = inValue || params > maxParams
			inValue = words[i] == value
			depth++
			params++
		case end:
			inValue = false
			depth--
		case '{': // would pass for the place of a parameter
			isOdd = !inValue
		}
		if isOdd || depth <= 0 && i != len(words)-1 {
			return Value(words)
		}
	}
	if depth != 0 || words == "" || words[0] != inner {
		return Value(words)
	}
	return Text(words[1 : len(words)-1])
}

// Marked is what [From] reads: words that stay as they are have no marks there.
func (t Text) Marked() string {
	words := t.String()
	if t == "" || t == Value(words) {
		return words
	}
	return string(inner) + string(t) + string(end)
}

// String is the sentence in English.
func (t Text) String() string { return string(plain(string(t))) }

// plain is words without marks.
func plain(words string) []byte {
	text := make([]byte, 0, len(words))
	for i := range len(words) {
		if c := words[i]; c < value || c > end {
			text = append(text, c)
		}
	}
	return text
}
