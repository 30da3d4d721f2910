package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// MaxAbout is how long an [About] may be, in bytes of JSON.
const MaxAbout = 8 << 10

// About is what a list shows of a call without taking it. It is sealed as the
// snapshot is. Whose call it is, is for the host to say: one key opens the calls
// of everybody.
type About struct {
	Principal string   `json:"principal,omitempty"` // whose call it is
	Peer      string   `json:"peer,omitempty"`      // the server, as the engine knows it
	Label     string   `json:"label,omitempty"`     // what the host calls the server
	Method    string   `json:"method,omitempty"`
	Name      string   `json:"name,omitempty"`      // of the tool or prompt, or a resource's URI
	Title     string   `json:"title,omitempty"`     // what the server calls it, for people
	Questions int      `json:"questions,omitempty"` // that are open
	Titles    []string `json:"titles,omitempty"`    // of these, if the host wants them to be seen
	Task      string   `json:"task,omitempty"`      // the status of the task that the call has become
	InDoubt   bool     `json:"inDoubt,omitempty"`
	Over      bool     `json:"over,omitempty"` // nothing can continue
}

// IsZero reports whether nothing is said.
func (a About) IsZero() bool { return reflect.ValueOf(a).IsZero() }

func (a About) text() ([]byte, error) {
	text, err := json.Marshal(a)
	if err == nil && len(text) > MaxAbout {
		err = fmt.Errorf("store: what is said about a call is longer than %d bytes", MaxAbout)
	}
	return text, err
}

func readAbout(text []byte) (a About, err error) {
	if len(text) > MaxAbout || json.Unmarshal(text, &a) != nil {
		return About{}, errors.New("store: what is said about the call cannot be read")
	}
	return a, nil
}
