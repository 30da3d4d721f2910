package agecodec_test

import (
	"bytes"
	"crypto/rand"
	"fmt"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
)

// A token of an age suite holds an age file, and is opened by whoever has the key.
func Example() {
	ring, err := codec.ParseKeyRing(codec.AppendKey(nil, codec.SuiteAgeCompact, []byte("a secret is random, not like this")))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := agecodec.New(ring, rand.Reader, codec.CodecOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	token, err := c.Seal([]byte("step 2"), []byte(codec.ContextSDK))
	if err != nil {
		fmt.Println(err)
		return
	}
	plaintext, err := c.Open(token, []byte(codec.ContextSDK))
	fmt.Printf("%s %v\n", plaintext, err)
	file, err := agecodec.File(token)
	version, _, _ := bytes.Cut(file, []byte("\n"))
	fmt.Printf("%s %v\n", version, err)
	// Output:
	// step 2 <nil>
	// age-encryption.org/v1 <nil>
}
