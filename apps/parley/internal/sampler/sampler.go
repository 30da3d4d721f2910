// Package sampler answers sampling/createMessage with a command of the
// person's: the request's params go to its standard input, its standard output
// is what the model says.
package sampler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
	"github.com/parley-mcp/parley/rawjson"
)

const (
	mostOutput = 1 << 20 // bytes of an answer
	mostErrors = 2 << 10 // bytes kept of what the command complains about

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
	out, complaints := &bounded{most: mostOutput}, &bounded{most: mostErrors}
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
		return "", fmt.Errorf("%s says more than %d bytes", c.Words[0], mostOutput)
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

// Result is the CreateMessageResult of a model that said text.
func Result(model, text string) []byte {
	return fmt.Appendf(nil, `{"role":"assistant","content":{"type":"text","text":%s},"model":%s,"stopReason":"endTurn"}`,
		jsontext.Quote(text), jsontext.Quote(model))
}

// Message is a part of a prompt, to be shown before it is sent to a model.
type Message struct {
	Who  string // system, user or assistant, or whatever the server calls it
	Text string
}

// known are the members of params that are no part of the prompt, or that are
// shown by themselves.
var known = []string{"_meta", "includeContext", "maxTokens", "messages", "metadata", "modelPreferences",
	"stopSequences", "systemPrompt", "task", "temperature", "toolChoice", "tools"}

// Prompt reads what a CreateMessageRequest's params say to the model. What has
// no place in them is shown as JSON: the command gets it, and may read it for
// something else, as those do that take names in any letter case.
func Prompt(params []byte) ([]Message, error) {
	var in jsontext.Reader
	var list []Message
	if system := in.Text(params, "systemPrompt"); system != "" {
		list = append(list, Message{"system", system})
	}
	for _, message := range in.List(params, "messages") {
		role, content := in.Text(message, "role"), jsontext.Get(message, "content")
		blocks := []json.RawMessage{content}
		switch {
		case !rawjson.Only(message, "role", "content", "_meta"):
			blocks[0] = message
		case len(content) > 0 && content[0] == '[':
			blocks = in.List(message, "content")
		}
		for _, block := range blocks {
			list = append(list, Message{role, blockText(block)})
		}
	}
	members, err := jsontext.Members(params)
	if err != nil || in.Odd {
		return nil, errors.New("the prompt cannot be read")
	}
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			list = append(list, Message{m.Name, string(m.Value)})
		}
	}
	return list, nil
}

// blockText is the text of a content block, or all of it as JSON, so that
// nothing goes to the model unseen.
func blockText(block []byte) string {
	var in jsontext.Reader
	kind, text := in.Text(block, "type"), in.Text(block, "text")
	if kind == "text" && !in.Odd && rawjson.Only(block, "type", "text", "annotations", "_meta") {
		return text
	}
	return string(block)
}
