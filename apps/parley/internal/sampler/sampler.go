// Package sampler answers sampling/createMessage with a command of the
// person's: the request's params go to its standard input, its standard output
// is what the model says.
package sampler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	maxOutput = 1 << 20 // bytes of an answer
	maxErrors = 2 << 10 // bytes kept of what the command complains about

	// grace is how long a command that was stopped may hold on to its output.
	grace = 500 * time.Millisecond
)

// Command is a model behind a command line.
type Command struct {
	Words []string // the program and its arguments; no shell sees them
	Model string   // empty means the program's base name
}

// Name is the model's name.
func (c Command) Name() string {
	if c.Model != "" {
		return c.Model
	}
	return strings.TrimSuffix(filepath.Base(c.Words[0]), ".exe")
}

// Run gives params, a CreateMessageRequest's, to the command and returns what
// it says.
func (c Command) Run(ctx context.Context, params []byte) (string, error) {
	cmd := exec.CommandContext(ctx, c.Words[0], c.Words[1:]...)
	out, complaints := &bounded{most: maxOutput}, &bounded{most: maxErrors}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(params), out, complaints, grace
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s was stopped: %w", c.Words[0], context.Cause(ctx))
	case err != nil:
		if said := strings.TrimSpace(complaints.kept.String()); said != "" {
			return "", fmt.Errorf("%s: %w: %s", c.Words[0], err, said)
		}
		return "", fmt.Errorf("%s: %w", c.Words[0], err)
	case out.full:
		return "", fmt.Errorf("%s says more than %d bytes", c.Words[0], maxOutput)
	}
	text := strings.TrimRight(out.kept.String(), "\r\n")
	if text == "" {
		return "", errors.New(c.Words[0] + " says nothing")
	}
	return text, nil
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	kept bytes.Buffer // no embedding: its ReadFrom would get around the bound
	most int
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - b.kept.Len()
	if len(p) > room {
		b.full = true
	}
	b.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}
