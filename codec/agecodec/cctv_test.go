package agecodec_test

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
)

// vector is one of the Community Cryptography Test Vectors for age.
type vector struct {
	name    string
	expect  string
	fileKey []byte
	file    []byte
}

func readVectors(t *testing.T) (all []vector) {
	t.Helper()
	files, err := filepath.Glob("../testdata/cctv/age/*")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d vectors, %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head, file, _ := bytes.Cut(text, []byte("\n\n"))
		v := vector{name: filepath.Base(name), file: file}
		for line := range strings.SplitSeq(string(head), "\n") {
			switch key, value, _ := strings.Cut(line, ": "); key {
			case "expect":
				v.expect = value
			case "file key":
				if v.fileKey, err = hex.DecodeString(value); err != nil {
					t.Fatal(err)
				}
			case "compressed":
				r, err := zlib.NewReader(bytes.NewReader(file))
				if err != nil {
					t.Fatal(err)
				}
				if v.file, err = io.ReadAll(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		all = append(all, v)
	}
	return all
}

// As they are, all are for recipients or of versions that a codec refuses.
func TestCCTV(t *testing.T) {
	k := newKey(t, codec.SuiteAgeFile, 0)
	c := newCodec(t, k)
	for _, v := range readVectors(t) {
		if got, err := c.Open(envelope(k, v.file), context); err == nil || got != nil {
			t.Errorf("%s: opened as %q", v.name, got)
		}
		if token, err := agecodec.Token(codec.SuiteAgeFile, v.file); err == nil {
			t.Errorf("%s: made the token %s", v.name, token)
		}
	}
}

// The first X25519 stanza of a header.
var x25519Stanza = regexp.MustCompile(`(?m)^-> X25519 \S+\n[A-Za-z0-9+/]{43}\n`)

// With the stanza for the vector's public key replaced by one for ours, which
// holds the same file key, and the MAC made anew where it was right, a vector says
// of our files what it said of its own. age is the judge: what it refuses, we
// refuse, and what we open, it opens alike. What we refuse beyond that has more
// than one stanza or chunk.
//
// What fits a token of the default cap is a vector too, for every host.
func TestCCTVTransplanted(t *testing.T) {
	k := newKey(t, codec.SuiteAgeFile, 0)
	c := newCodec(t, k)
	var opened, stricter []string
	tried := 0
	calls := []string{
		"# The CCTV vectors for age with our stanza in place of the one for a public key; codec/agecodec/cctv_test.go makes them.",
		`codec {"Keys":"parley-key/1 22 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"}`,
	}
	for _, v := range readVectors(t) {
		at := x25519Stanza.FindIndex(v.file)
		kind, _, _ := strings.Cut(v.name, "_")
		if at == nil || v.expect != "success" && (kind == "x25519" || kind == "hybrid") {
			continue // no such stanza, or the fault would leave with it
		}
		tried++
		file := slices.Concat(v.file[:at[0]], []byte(stanza(t, k, v.fileKey)), v.file[at[1]:])
		file = remake(t, v, file)
		if token := envelope(k, file); len(token) <= codec.DefaultMaxToken {
			calls = append(calls, "# "+v.name, `open {"Context":"`+string(context)+`","Token":"`+token+`"}`)
		}
		got, err := c.Open(envelope(k, file), context)
		judged, judgement := stockOpen(t, file, context, k)
		switch {
		case err == nil && (judgement != nil || !bytes.Equal(got, judged)):
			t.Errorf("%s: we open it; age: %v", v.name, judgement)
		case err == nil:
			opened = append(opened, v.name)
			if v.expect != "success" {
				t.Errorf("%s: we open it; the vector expects %s", v.name, v.expect)
			}
		case v.expect == "success":
			stricter = append(stricter, v.name)
		}
	}
	checkCalls(t, "../testdata/vectors/age-cctv.txt", calls)
	if tried != 56 {
		t.Errorf("%d vectors were transplanted, want 56", tried)
	}
	if want := []string{"stream_empty_payload", "stream_last_chunk_full", "x25519"}; !slices.Equal(opened, want) {
		t.Errorf("opened: got %q, want %q", opened, want)
	}
	if want := []string{
		"hybrid_and_x25519", "stanza_empty_body", "stanza_empty_last_line", "stanza_valid_characters", "stream_257_chunks",
		"stream_257_chunks_full", "stream_258_chunks", "stream_last_chunk_full_second", "stream_three_chunks",
		"stream_two_chunks", "x25519_grease", "x25519_multiple_recipients",
	}; !slices.Equal(stricter, want) {
		t.Errorf("refused although age opens the original: got %q, want %q", stricter, want)
	}
}

// checkCalls holds a vector file to the calls it must have. With -update it is
// written; TestVectors adds the answers.
func checkCalls(t *testing.T, file string, want []string) {
	t.Helper()
	text, _ := os.ReadFile(file)
	var got []string
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		switch {
		case lines[i] == "----":
			i++ // and the answer
		case lines[i] != "":
			got = append(got, lines[i])
		}
	}
	if slices.Equal(got, want) {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Fatalf("%s has %d calls, want %d: run this package's tests with -update", file, len(got), len(want))
	}
	var out strings.Builder
	for _, line := range want {
		out.WriteString(line + "\n")
		if line[0] != '#' {
			out.WriteString("----\n?\n")
		}
	}
	if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// remake puts the MAC of the new header where the vector had the right one of its
// own. Where it did not, that is the fault, and stays.
func remake(t *testing.T, v vector, file []byte) []byte {
	mac := func(file []byte) []byte {
		header, _, _ := bytes.Cut(file, []byte("\n---"))
		return []byte(headerMAC(t, v.fileKey, string(header)+"\n---"))
	}
	return bytes.Replace(file, mac(v.file), mac(file), 1)
}
