package main_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// vectors is a file of codec/testdata/wycheproof, its groups and tests of the
// kind that the algorithm has.
type vectors[G any] struct {
	Algorithm     string
	NumberOfTests int
	TestGroups    []G
}

type test struct {
	TcID    int
	Comment string
	Result  string // valid or invalid; acceptable does not occur here
}

type aeadGroup struct {
	Tests []struct {
		test
		Key, IV, AAD, Msg, CT, Tag hexBytes
	}
}

type hkdfGroup struct {
	Tests []struct {
		test
		IKM, Salt, Info, OKM hexBytes
		Size                 int
	}
}

type macGroup struct {
	TagSize int // bits
	Tests   []struct {
		test
		Key, Msg, Tag hexBytes
	}
}

type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

func read[G any](t *testing.T, name, algorithm string) vectors[G] {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "codec", "testdata", "wycheproof", name))
	if err != nil {
		t.Fatal(err)
	}
	var v vectors[G]
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if v.Algorithm != algorithm {
		t.Fatalf("%s is of %s, want %s", name, v.Algorithm, algorithm)
	}
	return v
}

// tally counts what was run, and knows which answer a test wants.
type tally struct {
	t               *testing.T
	valid, rejected int
}

func (n *tally) wantsValid(one test) bool {
	n.t.Helper()
	switch one.Result {
	case "valid":
		n.valid++
		return true
	case "invalid":
		n.rejected++
		return false
	}
	n.t.Fatalf("test %d has result %q", one.TcID, one.Result)
	return false
}

func (n *tally) check(all int) {
	n.t.Helper()
	if n.valid+n.rejected != all || n.valid == 0 || n.rejected == 0 {
		n.t.Errorf("ran %d valid and %d invalid tests, the file has %d", n.valid, n.rejected, all)
	}
	n.t.Logf("%d valid, %d invalid", n.valid, n.rejected)
}

func TestXChaCha20Poly1305(t *testing.T) {
	testAEAD(t, xchacha, 24, read[aeadGroup](t, "xchacha20_poly1305_test.json", "XCHACHA20-POLY1305"))
}

func TestChaCha20Poly1305(t *testing.T) {
	testAEAD(t, chacha, 12, read[aeadGroup](t, "chacha20_poly1305_test.json", "CHACHA20-POLY1305"))
}

func testAEAD(t *testing.T, cipher string, nonceSize int, v vectors[aeadGroup]) {
	everywhere(t, func(t *testing.T, p primitives) {
		n := tally{t: t}
		for _, group := range v.TestGroups {
			for _, one := range group.Tests {
				box := append(bytes.Clone(one.CT), one.Tag...)
				valid := n.wantsValid(one.test)
				sealed, s := p.Seal(cipher, one.Key, one.IV, one.AAD, one.Msg)
				opened, o := p.Open(cipher, one.Key, one.IV, one.AAD, box)
				switch {
				case len(one.IV) != nonceSize: // x/crypto panics, so that a caller cannot miss it
					if s != crashed || o != crashed || valid {
						t.Errorf("test %d (nonce of %d bytes): seal %s, open %s, want %s", one.TcID, len(one.IV), s, o, crashed)
					}
				case !valid:
					if o != refused || bytes.Equal(sealed, box) {
						t.Errorf("test %d (%s): open %s, want %s", one.TcID, one.Comment, o, refused)
					}
				case s != done || !bytes.Equal(sealed, box):
					t.Errorf("test %d (%s): seal %s: got %x, want %x", one.TcID, one.Comment, s, sealed, box)
				case o != done || !bytes.Equal(opened, one.Msg):
					t.Errorf("test %d (%s): open %s: got %x, want %x", one.TcID, one.Comment, o, opened, one.Msg)
				}
			}
		}
		n.check(v.NumberOfTests)
	})
}

func TestHKDFSHA256(t *testing.T) {
	v := read[hkdfGroup](t, "hkdf_sha256_test.json", "HKDF-SHA-256")
	everywhere(t, func(t *testing.T, p primitives) {
		n := tally{t: t}
		for _, group := range v.TestGroups {
			for _, one := range group.Tests {
				valid := n.wantsValid(one.test)
				okm, o := p.Expand(p.Extract(one.Salt, one.IKM), one.Info, one.Size)
				switch {
				case !valid && o != refused:
					t.Errorf("test %d (%s): %s, want %s", one.TcID, one.Comment, o, refused)
				case valid && (o != done || !bytes.Equal(okm, one.OKM)):
					t.Errorf("test %d (%s): %s: got %x, want %x", one.TcID, one.Comment, o, okm, one.OKM)
				}
			}
		}
		n.check(v.NumberOfTests)
	})
}

func TestHMACSHA256(t *testing.T) {
	v := read[macGroup](t, "hmac_sha256_test.json", "HMACSHA256")
	everywhere(t, func(t *testing.T, p primitives) {
		n := tally{t: t}
		for _, group := range v.TestGroups {
			for _, one := range group.Tests {
				valid := n.wantsValid(one.test)
				mac := p.HMAC(one.Key, one.Msg)
				if len(mac) != 32 {
					t.Fatalf("test %d: a MAC of %d bytes", one.TcID, len(mac))
				}
				if got := bytes.Equal(mac[:group.TagSize/8], one.Tag); got != valid {
					t.Errorf("test %d (%s): tag equal %v, want %v", one.TcID, one.Comment, got, valid)
				}
			}
		}
		n.check(v.NumberOfTests)
	})
}

// Wycheproof has no set for bare hashes; these are of FIPS 180-2, appendix B.
func TestSHA256(t *testing.T) {
	tests := map[string]struct{ message, want string }{
		"one block":  {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		"two blocks": {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		"long":       {string(bytes.Repeat([]byte("a"), 1_000_000)), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
		"empty":      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	}
	everywhere(t, func(t *testing.T, p primitives) {
		for name, tt := range tests {
			if got := hex.EncodeToString(p.SHA256([]byte(tt.message))); got != tt.want {
				t.Errorf("%s: got %s, want %s", name, got, tt.want)
			}
		}
	})
}
