package enginetest

import (
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"
)

// Vector is a block of a file in engine/testdata/frames: a frame of a request or
// an answer beside its notation, or one that an export refuses.
//
//	request parley_flow_step {"type":"begin"}
//	----
//	10000000 7b2274797065223a22626567696e227d
//
//	refused parley_flow_step 00000000
//	----
//	{"error":{"code":2,"detail":"…"}}
type Vector struct {
	Kind   string // request, answer or refused
	Export string
	Text   []byte // in the notation of the scripts; of refused, the answer
	Frame  []byte
}

// Vectors reads all of them. With Update, it first asks what each should be:
// the frame of a request or answer, or the answer to a refused frame; one that is
// not known stays as it is.
func Vectors(t *testing.T, dir string, mode Mode, ask func(Vector) []byte) (vectors []Vector) {
	t.Helper()
	for _, path := range scripts(t, dir) {
		s, err := ReadBlocks(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Blocks {
			b := &s.Blocks[i]
			kind, rest, _ := strings.Cut(b.Call, " ")
			export, arg, _ := strings.Cut(rest, " ")
			v := Vector{Kind: kind, Export: export, Text: []byte(arg)}
			if kind == "refused" {
				v.Frame, v.Text = unhex(t, arg), []byte(b.Answer)
			}
			if mode == Update {
				if is := ask(v); is != nil && kind == "refused" {
					b.Answer = string(is)
				} else if is != nil {
					b.Answer = spaced(is)
				}
			}
			if kind == "refused" {
				v.Text = []byte(b.Answer)
			} else {
				v.Frame = unhex(t, b.Answer)
			}
			vectors = append(vectors, v)
		}
		if mode == Update {
			if err := s.WriteBlocks(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	return vectors
}

// FramesDir is where the vectors are, from a folder of the repository.
func FramesDir(root string) string { return filepath.Join(root, "engine/testdata/frames") }

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatalf("%.60s: %v", text, err)
	}
	return data
}

// spaced is a frame with its pieces apart.
func spaced(frame []byte) string {
	n := 4 + binary.LittleEndian.Uint32(frame)
	return strings.TrimSpace(hex.EncodeToString(frame[:4]) + " " + hex.EncodeToString(frame[4:n]) + " " + hex.EncodeToString(frame[n:]))
}
