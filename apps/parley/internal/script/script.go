// Package script reads the file that answers a call's questions when nobody is
// there to be asked.
package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
)

// Script is a file's answers. Each is used once, the first that fits. A key is
// the server's name for a question; it is empty for the questions of servers of
// earlier protocol versions, which name none.
type Script struct {
	Answers []*Answer
	Samples []*Sample
	SignIns []*SignIn
	Roots   []json.RawMessage // each as in a ListRootsResult; they answer every roots/list
}

// Answer is an answer to a form or, without content, to the question whether to
// open a page.
type Answer struct {
	Key     *string         `json:"key"`
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content"` // of an accept of a form, as it stands in the file

	used bool
}

// The actions of an Answer: those of an ElicitResult, and one to end the call.
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
	Stop    = "stop"
)

// Sample is what a model says.
type Sample struct {
	Key   *string `json:"key"`
	Text  string  `json:"text"`
	Model string  `json:"model"`

	used bool
}

// Load reads a script. What is wrong with it is said with its place in it.
func Load(name string) (*Script, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var file struct {
		Answers []json.RawMessage `json:"answers"`
		Sample  []json.RawMessage `json:"sample"`
		SignIn  []json.RawMessage `json:"signIn"`
		Roots   []json.RawMessage `json:"roots"`
	}
	if err := decode(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := &Script{Roots: file.Roots}
	for i, raw := range file.Answers {
		a := new(Answer)
		err := decode(raw, a)
		if err == nil {
			err = a.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: answers[%d]: %w", name, i, err)
		}
		s.Answers = append(s.Answers, a)
	}
	for i, raw := range file.Sample {
		a := new(Sample)
		err := decode(raw, a)
		if err == nil && a.Key == nil {
			err = errNoKey
		}
		if err != nil {
			return nil, fmt.Errorf("%s: sample[%d]: %w", name, i, err)
		}
		s.Samples = append(s.Samples, a)
	}
	for i, raw := range file.SignIn {
		a := new(SignIn)
		err := decode(raw, a)
		if err == nil {
			err = a.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: signIn[%d]: %w", name, i, err)
		}
		s.SignIns = append(s.SignIns, a)
	}
	for i, raw := range file.Roots {
		var in jsontext.Reader
		if uri, _ := in.Text(raw, "uri"), in.Text(raw, "name"); uri == "" || in.Odd {
			return nil, fmt.Errorf(`%s: roots[%d]: a root looks like {"uri":"file:///home/me","name":"me"}`, name, i)
		}
	}
	return s, nil
}

var errNoKey = errors.New(`the key of the question is missing; of one that has none it is ""`)

func (a *Answer) check() error {
	switch a.Action {
	case Accept:
		if _, err := jsontext.Members(a.Content); a.Content != nil && err != nil {
			return errors.New("the content of an accept is a JSON object")
		}
	case Decline, Cancel, Stop:
		if a.Content != nil {
			return fmt.Errorf("a %s has no content", a.Action)
		}
	default:
		return fmt.Errorf("the action %q is none of accept, decline, cancel and stop", a.Action)
	}
	if a.Key == nil {
		return errNoKey
	}
	return nil
}

// decode reads one JSON value strictly, so that a slip of the pen is no answer
// that is never used.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("there is more than one JSON value")
		}
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at line %d: %w", 1+bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n")), err)
	}
	return err
}

// Answer takes the next answer for a form's key, or else the next one whose key is
// "", because some servers draw keys at random; nil if there is none.
func (s *Script) Answer(key string) *Answer {
	if a := s.answer(key); a != nil {
		return a
	}
	return s.answer("")
}

func (s *Script) answer(key string) *Answer {
	for _, a := range s.Answers {
		if *a.Key == key && !a.used {
			a.used = true
			return a
		}
	}
	return nil
}

// Sample takes the next answer for a sampling request's key, nil if there is
// none.
func (s *Script) Sample(key string) *Sample {
	for _, a := range s.Samples {
		if *a.Key == key && !a.used {
			a.used = true
			return a
		}
	}
	return nil
}

// Unused names the answers that nothing asked for.
func (s *Script) Unused() []string {
	var list []string
	for i, a := range s.Answers {
		if !a.used {
			list = append(list, fmt.Sprintf("answers[%d] (%s)", i, name(*a.Key)))
		}
	}
	for i, a := range s.Samples {
		if !a.used {
			list = append(list, fmt.Sprintf("sample[%d] (%s)", i, name(*a.Key)))
		}
	}
	return list
}

func name(key string) string {
	if key == "" {
		return `""`
	}
	return key
}
