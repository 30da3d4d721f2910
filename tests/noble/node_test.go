// Package noble_test holds package codec against a reader and writer of the same
// tokens in another language, on other libraries, that shares no code with it.
package noble_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
)

// node gives requests, one a line, to a command of this folder and returns its
// answers.
func node[Request, Answer any](t *testing.T, file string, requests []Request) []Answer {
	t.Helper()
	var in bytes.Buffer
	for _, r := range requests {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	answers := decode[Answer](t, run(t, in.Bytes(), file))
	if len(answers) != len(requests) {
		t.Fatalf("%s: got %d answers, want %d", file, len(answers), len(requests))
	}
	return answers
}

func run(t *testing.T, in []byte, command ...string) []byte {
	t.Helper()
	if _, err := os.Stat("node_modules"); err != nil {
		t.Skip("there is no node_modules: run npm ci in tests/noble")
	}
	cmd := exec.Command("node", command...)
	var errors bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command[0], err, errors.Bytes())
	}
	return out
}

func decode[Answer any](t *testing.T, lines []byte) []Answer {
	t.Helper()
	var answers []Answer
	for d := json.NewDecoder(bytes.NewReader(lines)); d.More(); {
		var one Answer
		if err := d.Decode(&one); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, one)
	}
	return answers
}

// hexBytes are written as hex; nil is null.
type hexBytes []byte

func (h hexBytes) MarshalJSON() ([]byte, error) {
	if h == nil {
		return []byte("null"), nil
	}
	return json.Marshal(hex.EncodeToString(h))
}

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// source is the same in every run, so that a failure can be found again.
func source(name string) *rand.Rand {
	var seed [32]byte
	copy(seed[:], name)
	return rand.New(rand.NewChaCha8(seed))
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
