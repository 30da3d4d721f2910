package main

import (
	"os"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/system"
)

// Advice can be pasted into a shell as it is. It stands between two blanks, by
// which a console knows it and does not wrap it.

// line is a command of parley's about what this one is about: the same calls.
func (c *command) line(words ...string) string {
	words = append([]string{"parley"}, words...)
	if c.storeURL != "" && c.storeURL != os.Getenv(saved.EnvStore) {
		words = append(words, "--store", c.storeURL)
	}
	if c.stateDir != "" {
		words = append(words, "--state-dir", c.stateDir)
	}
	return system.ShellLine(words...)
}

// resumeLine resumes a call, with more flags for how.
func (c *command) resumeLine(id string, how ...string) string {
	return c.line(append(append([]string{"resume", id}, how...), c.means.Words(os.Getenv)...)...)
}

// inStore is a text about calls, its advice about those of this command's store.
func (c *command) inStore(text string) string {
	return strings.Replace(text, saved.SealsAll, c.line(strings.Fields(saved.SealsAll)[1:]...), 1)
}

// signInLine signs in to the server beforehand. It repeats no address that may hold a secret.
func (c *command) signInLine(scopes []string) string {
	words := []string{"login", "URL"}
	if at := c.publicURL(); at != "" {
		words[1] = at
	}
	if len(scopes) > 0 {
		words = append(words, "--scope", strings.Join(scopes, " "))
	}
	if c.Dialect != "" {
		words = append(words, "--dialect", string(c.Dialect))
	}
	for _, version := range c.Versions {
		words = append(words, "--protocol-version", version)
	}
	means := c.means
	means.BearerFile = "" // a sign-in has no use for it
	login := command{stateDir: c.stateDir}
	return login.line(append(words, means.Words(os.Getenv)...)...)
}
