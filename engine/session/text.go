package session

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// text is JSON text in the making. Its methods are what a TinyGo module pays
// for once, where every append is paid for again.
type text struct{ dst []byte }

func (t *text) put(s string) { t.dst = append(t.dst, s...) }

func (t *text) raw(span []byte) { t.dst = append(t.dst, span...) }

// comma goes before everything but the first in an object or array.
func (t *text) comma() {
	if c := t.dst[len(t.dst)-1]; c != '{' && c != '[' {
		t.dst = append(t.dst, ',')
	}
}

// member adds a member; the value may go on.
func (t *text) member(name, value []byte) {
	t.comma()
	t.raw(name)
	t.put(":")
	t.raw(value)
}

// count is a sentence with a number in it.
func count(template sentence.Text, n int) sentence.Text {
	return sentence.Say(template, sentence.Value(rawjson.Itoa(n)))
}
