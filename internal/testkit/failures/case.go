// Package failures serves the failures of hosts/testdata/verdicts from real
// sockets, so that every host can be held against the same ones: is a tool call
// that failed so not sent, refused or in doubt, and what does a person read?
package failures

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Case is a failure and what is to be said of it. Its file describes it.
type Case struct {
	Name string `json:"-"` // of its file, without the ending
	What string // happens, for who reads the file

	// Where the failure is. One of them.
	URL     string   `json:",omitempty"` // as it is, and nothing listens
	Refuses bool     `json:",omitempty"` // the port, connections
	Login   string   `json:",omitempty"` // what whoever adds authorization says, before anything is sent
	TLS     string   `json:",omitempty"` // what is wrong with it: see serveTLS
	Proxy   string   `json:",omitempty"` // on the way: missing, or refuses
	HTTP    *Answer  `json:",omitempty"` // to the POST, once it was read
	Program *Program `json:",omitempty"` // over stdio

	Most    int `json:",omitempty"` // bytes of a message that the host is to take
	Timeout int `json:",omitempty"` // of the leg, in milliseconds

	Verdict string   // not sent, refused, in doubt, answered (by an error), unusable (a round) or done
	Words   []string // all of them stand in what the person reads
	Hosts   []string `json:",omitempty"` // go, node, page; all if absent

	// Of a host that cannot know as much: what is said there.
	Node, Page *Said `json:",omitempty"`

	// Over another client in Go, JavaScript or Python: what becomes of the call
	// there, if something else does: what was lost on the way is in doubt. That
	// it is "late" says that the other client waits on, until the leg's time is over.
	Over map[string]string `json:",omitempty"`
}

// Said is what is said of a failure.
type Said struct {
	Verdict string
	Words   []string
}

// Answer is an HTTP answer, or a part of one.
type Answer struct {
	Status int
	Type   string `json:",omitempty"` // Content-Type
	Field  string `json:",omitempty"` // one more header field; $REFUSES in it stands for an address that refuses connections
	Body   string `json:",omitempty"` // $ID in it stands for the id of the request
	Raw    []byte `json:",omitempty"` // in place of Body, in base64
	Spaces int    `json:",omitempty"` // behind Body
	Then   string `json:",omitempty"` // close, reset, cut or nothing: see answer
	Closed bool   `json:",omitempty"` // to pages of other origins: no CORS
}

// Program is a server over stdio.
type Program struct {
	Missing bool   `json:",omitempty"`
	Ends    string `json:",omitempty"` // at once, or after the call
	Spaces  int    `json:",omitempty"` // in place of an answer to the call, then a line break
}

// Read reads the cases of a folder, in order of their names.
func Read(folder string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no cases in %s", folder)
	}
	var cases []Case
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		c := Case{Name: strings.TrimSuffix(filepath.Base(file), ".json")}
		if err := decoder.Decode(&c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// AtOver is what becomes of the call over another client in a language: go, js
// or python.
func (c *Case) AtOver(language string) string {
	if verdict, ok := c.Over[language]; ok {
		return verdict
	}
	return c.Verdict
}

// At is what a host says of the case; false where the case is not for it.
func (c *Case) At(host string) (Said, bool) {
	said := Said{c.Verdict, c.Words}
	switch {
	case host == "node" && c.Node != nil:
		said = *c.Node
	case host == "page" && c.Page != nil:
		said = *c.Page
	}
	return said, c.Hosts == nil || slices.Contains(c.Hosts, host)
}
