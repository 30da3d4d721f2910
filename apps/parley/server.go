package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/parley-mcp/parley/apps/desk/server"
)

// maxURL bounds the address of a server, which a call is kept with, in bytes.
const maxURL = 1024

// byURL names the server at an address.
func (c *command) byURL(text string) error {
	if server.HTTPURL(text) == nil {
		return fmt.Errorf("%q is no http or https URL, such as http://127.0.0.1:8080/mcp; a server that is a command comes last, after --", text)
	}
	if len(text) > maxURL {
		return fmt.Errorf("the server's URL is longer than %d bytes, the most that parley keeps with a call", maxURL)
	}
	c.URL = text
	return nil
}

// byCommand names the server that a command is. It runs where parley does, also
// when a call is resumed from elsewhere.
func (c *command) byCommand(words []string) (err error) {
	switch {
	case len(words) == 0 || words[0] == "":
		return errors.New("there is no command after --")
	case slices.ContainsFunc(words, func(w string) bool { return !utf8.ValidString(w) }):
		return errors.New("the command after -- is not UTF-8")
	}
	c.Command = words
	c.Dir, err = os.Getwd()
	return err
}
