package main_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ageVector is a file of codec/testdata/cctv/age. The file key that it names
// stands for the recipients that the codec does not have.
type ageVector struct {
	expect      string
	fileKey     []byte
	payloadHash []byte
	armored     bool
	file        []byte
}

func readAgeVector(t *testing.T, text []byte) ageVector {
	t.Helper()
	header, file, _ := bytes.Cut(text, []byte("\n\n"))
	v := ageVector{file: file}
	for line := range strings.SplitSeq(string(header), "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "expect":
			v.expect = value
		case "file key":
			v.fileKey = fromHex(t, value)
		case "payload":
			v.payloadHash = fromHex(t, value)
		case "armored":
			v.armored = true
		case "compressed":
			v.file = inflate(t, file)
		case "identity", "passphrase", "comment":
		default:
			t.Fatalf("unknown key %q in the vector's header", key)
		}
	}
	return v
}

func fromHex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func inflate(t *testing.T, file []byte) []byte {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	inflated, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return inflated
}

// longestHeader is more than any vector's header, in bytes.
const longestHeader = 64 << 10

// TestAge gives the age vectors to filippo.io/age's reading of headers, and
// decrypts what follows with the primitives alone. The codec has no armor, so
// armored vectors are left out.
func TestAge(t *testing.T) {
	dir := filepath.Join("..", "..", "codec", "testdata", "cctv", "age")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	vectors := map[string]ageVector{}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if v := readAgeVector(t, text); !v.armored {
			vectors[file.Name()] = v
		}
	}
	want := map[string]int{"success": 19, "no match": 12, "HMAC failure": 1, "header failure": 60, "payload failure": 18}
	everywhere(t, func(t *testing.T, p primitives) {
		got := map[string]int{}
		for name, v := range vectors {
			got[v.expect]++
			testAgeVector(t, p, name, v)
		}
		if !maps.Equal(got, want) {
			t.Errorf("ran %v, want %v", got, want)
		}
	})
}

func testAgeVector(t *testing.T, p primitives, name string, v ageVector) {
	header, o := p.AgeHeader(v.fileKey, v.file[:min(len(v.file), longestHeader)])
	if want := headerOutcome(name, v.expect); o != want {
		t.Errorf("%s: header %s, want %s", name, o, want)
	}
	switch {
	case o == done && !bytes.HasPrefix(v.file, header):
		t.Errorf("%s: the header read is not the file's", name)
	case o == done && (v.payloadHash != nil || strings.HasPrefix(name, "stream_")):
		payload, complete := openStream(p, v.fileKey, v.file[len(header):])
		if complete != (v.expect == "success") {
			t.Errorf("%s: whole payload opened: got %v, expect is %s", name, complete, v.expect)
		}
		if sum := p.SHA256(payload); v.payloadHash != nil && !bytes.Equal(sum, v.payloadHash) {
			t.Errorf("%s: SHA-256 of the payload: got %x, want %x", name, sum, v.payloadHash)
		}
	}
}

// headerOutcome is what a reader of headers that was given the file key answers.
// It knows no kind of recipient, so it does not notice what only a recipient's
// own code would, such as an X25519 share of the wrong size.
func headerOutcome(name, expect string) outcome {
	kind, rest, _ := strings.Cut(name, "_")
	switch {
	case expect == "HMAC failure":
		return badMAC
	case expect != "header failure":
		return done
	case kind == "stream": // a nonce cut short, which age counts as the header
		return done
	case kind == "x25519" || kind == "hybrid" || kind == "scrypt":
		if rest != "not_canonical_body" {
			return done
		}
	}
	return refused
}

// openStream opens the payload of an age file (C2SP age, Payload): the chunks
// that came before anything wrong, and whether that was all of it.
func openStream(p primitives, fileKey, file []byte) (payload []byte, complete bool) {
	const nonceSize, chunkSize = 16, 64<<10 + 16
	if len(file) < nonceSize {
		return nil, false
	}
	key, _ := p.Expand(p.Extract(file[:nonceSize], fileKey), []byte("payload"), 32)
	rest := file[nonceSize:]
	for counter := uint64(0); ; counter++ {
		chunk := rest[:min(len(rest), chunkSize)]
		rest = rest[len(chunk):]
		var nonce [12]byte // u88be counter | final
		binary.BigEndian.PutUint64(nonce[3:11], counter)
		if plaintext, o := p.Open(chacha, key, nonce[:], nil, chunk); o == done && len(chunk) == chunkSize {
			payload = append(payload, plaintext...)
			continue
		}
		nonce[11] = 1
		plaintext, o := p.Open(chacha, key, nonce[:], nil, chunk)
		if o != done || len(plaintext) == 0 && counter > 0 {
			return payload, false
		}
		return append(payload, plaintext...), len(rest) == 0
	}
}
