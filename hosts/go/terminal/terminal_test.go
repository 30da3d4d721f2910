package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/terminal"
)

const work = `{"message":"How was\nit \u001b[1mdone?","requestedSchema":{"type":"object","properties":{
	"how":{"type":"string","title":"Resolution","description":"In a word.","oneOf":[{"const":"fixed","title":"Fixed"},{"const":"dup","title":"dup"}],"default":"fixed"},
	"n":{"type":"integer","minimum":1}},"required":["how"]}}`

func TestForm(t *testing.T) {
	tests := map[string]struct {
		typed  string
		answer string
		shown  []string
		err    error
	}{
		"filled in": {"dup\n3\n\n", `{"action":"accept","content":{"how":"dup","n":3}}`,
			[]string{"The server asks: How was\n| it \ufffd[1mdone?", "  In a word.\n", "  - fixed: Fixed\n  - dup\n", `  Resolution [fixed] (or /decline): `, "  Enter sends this (or /decline): "}, nil},
		"default, left out": {"\n\n\n", `{"action":"accept","content":{"how":"fixed"}}`, nil, nil},
		"wrong first":       {"lost\ndup\n0\n1\n\n", `{"action":"accept","content":{"how":"dup","n":1}}`, []string{"  It must be one of the choices", "  It must be at least 1"}, nil},
		"declined":          {"dup\n /decline \n", `{"action":"decline"}`, nil, nil},
		"not sent":          {"dup\n\n/decline\n", `{"action":"decline"}`, nil, nil},
		"no more input":     {"dup\n", "", nil, parley.ErrPark},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			answer, err := terminal.Askers(strings.NewReader(tt.typed), &out).Elicit(t.Context(), parley.Question{Params: []byte(work)})
			if err != tt.err || string(answer) != tt.answer {
				t.Errorf("got %s, %v, want %s, %v", answer, err, tt.answer, tt.err)
			}
			for _, want := range tt.shown {
				if !strings.Contains(out.String(), want) {
					t.Errorf("it does not show %q:\n%s", want, out.String())
				}
			}
		})
	}
}

func TestPage(t *testing.T) {
	page := []byte(`{"mode":"url","message":"Log in","url":"https://xn--x.example/login"}`)
	tests := map[string]struct {
		typed, answer string
		q             parley.Question
		shown         string
	}{
		"opened":   {"\n", `{"action":"accept"}`, parley.Question{Host: "xn--x.example", Punycode: true}, "wants you to open a page at xn--x.example: Log in\n  https://xn--x.example/login\n  Its name stands for letters"},
		"again":    {"\n", `{"action":"accept"}`, parley.Question{Host: "xn--x.example", Repeat: true}, "waits until you are done with a page"},
		"declined": {"/decline\n", `{"action":"decline"}`, parley.Question{}, "Open it if you trust it, then Enter"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			tt.q.Params = page
			answer, err := terminal.Askers(strings.NewReader(tt.typed), &out).ElicitURL(t.Context(), tt.q)
			if err != nil || string(answer) != tt.answer || !strings.Contains(out.String(), tt.shown) {
				t.Errorf("got %s, %v, want %s; it shows\n%s", answer, err, tt.answer, out.String())
			}
		})
	}
}

// A question that nobody waits for any more leaves what is typed to the next one.
func TestGivenUp(t *testing.T) {
	in, typing := io.Pipe()
	defer typing.Close()
	askers := terminal.Askers(in, io.Discard)
	ctx, cancel := context.WithCancelCause(t.Context())
	errGone := errors.New("gone")
	cancel(errGone)
	if _, err := askers.Elicit(ctx, parley.Question{Params: []byte(work)}); !errors.Is(err, errGone) {
		t.Errorf("before it was put: got %v", err)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	given := make(chan error, 1)
	asked := terminal.Askers(in, writing(func() { cancel(errGone) }))
	go func() {
		_, err := asked.ElicitURL(ctx, parley.Question{Params: []byte(`{}`)})
		given <- err
	}()
	if err := <-given; !errors.Is(err, errGone) {
		t.Errorf("while it was open: got %v", err)
	}
	go io.WriteString(typing, "\n")
	if answer, err := asked.ElicitURL(t.Context(), parley.Question{Params: []byte(`{}`)}); err != nil || string(answer) != `{"action":"accept"}` {
		t.Errorf("the next one: got %s, %v", answer, err)
	}
}

// writing calls a function with each write.
type writing func()

func (w writing) Write(p []byte) (int, error) {
	w()
	return len(p), nil
}
