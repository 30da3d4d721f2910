package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/system"
)

// Advice is pasted into a shell of the person who runs the bridge, in another
// directory maybe.

// loginLine signs in to the server beforehand.
func (c *command) loginLine() string {
	words := []string{"parley", "login", c.URL}
	if dir := c.signIn.stateDir; dir != "" {
		words = append(words, "--state-dir", absolute(dir))
	}
	if id := c.signIn.clientID; id != "" {
		words = append(words, "--client-id", id)
	}
	if file := c.signIn.clientSecretFile; file != "" {
		words = append(words, "--client-secret-file", absolute(file))
	}
	if port := c.signIn.callbackPort; port != 0 {
		words = append(words, "--callback-port", strconv.Itoa(port))
	}
	if c.Dialect != "" {
		words = append(words, "--dialect", string(c.Dialect))
	}
	for _, version := range c.Versions {
		words = append(words, "--protocol-version", version)
	}
	return system.ShellLine(words...)
}

// resumeLine resumes a call that is kept.
func (c *command) resumeLine(id string) string {
	words := []string{"parley", "resume", id}
	if c.storeURL != os.Getenv(saved.EnvStore) {
		url := c.storeURL
		if dir, ok := strings.CutPrefix(url, "file:"); ok {
			url = "file:" + absolute(dir)
		}
		words = append(words, "--store", url)
	}
	if dir := c.signIn.stateDir; dir != "" {
		words = append(words, "--state-dir", absolute(dir))
	}
	if c.bearerFile != "" {
		words = append(words, "--bearer-file", absolute(c.bearerFile))
	}
	return "PARLEY_SNAPSHOT_KEY_FILE=" + system.ShellQuote(absolute(c.keyFile)) + " " + system.ShellLine(words...)
}

// absolute is a path from any directory.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}
