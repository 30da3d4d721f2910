package gosdk

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
)

// record is the plain state of a handler that asks: its steps so far. The last
// one may lack answers; its questions are what the round put.
type record struct {
	Asking int    `json:"asking"` // recordVersion
	Steps  []step `json:"steps"`
}

const recordVersion = 1

// step is a call to Ask: an entry for each answer, in the order of their keys.
type step []entry

// entry says what was asked, by its digest, and the answer; or what was done
// once, and its result.
type entry struct {
	Of string          `json:"of"`
	Is json.RawMessage `json:"is"`
}

// readRecord reads what [record.encode] wrote. A state of another shape is one
// of another version of the handler, which knows nothing of this one.
func readRecord(state string) (record, bool) {
	var r record
	if state == "" || json.Unmarshal([]byte(state), &r) != nil || r.Asking != recordVersion || len(r.Steps) == 0 {
		return record{Asking: recordVersion}, false
	}
	return r, true
}

func (r record) encode() (string, error) {
	text, err := json.Marshal(r)
	return string(text), err
}

func newEntry(digest [16]byte, is any) (entry, error) {
	text, err := json.Marshal(is)
	return entry{spell(digest), text}, err
}

func (s step) find(digest [16]byte) (e entry, ok bool) {
	of := spell(digest)
	if i := slices.IndexFunc(s, func(e entry) bool { return e.Of == of }); i >= 0 {
		return s[i], true
	}
	return entry{}, false
}

func (s step) equal(other step) bool {
	return slices.EqualFunc(s, other, func(a, b entry) bool { return a.Of == b.Of && bytes.Equal(a.Is, b.Is) })
}

func spell(digest [16]byte) string { return base64.RawURLEncoding.EncodeToString(digest[:]) }
