package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/sampler"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/question"
	parley "github.com/parley-mcp/parley/hosts/go"
)

func (c *command) modelGroup() flags.Group {
	var line, name string
	return flags.Group{
		Text: "A model of yours (without it the server cannot ask for one):\n",
		Flags: []flags.Flag{
			{Name: "sample-cmd", Value: "'CMD ARGS'", To: &line, Text: "the command gets the request's JSON params on standard input and prints the answer. " +
				"Quotes and backslashes work as in a shell, but there is no shell"},
			{Name: "sample-model", Value: "NAME", To: &name, Text: "what to call the model (default: the command's base name)"},
			{Name: "sample-yes", To: &c.sampleYes, Text: "do not ask before the prompt goes to the model, nor before its answer goes to the server"},
			{Name: "sample-timeout", Value: "TIME", Default: "5m", To: &c.sampleTimeout, Text: "how long the model may take, 0 for no bound"},
		},
		Check: func() error {
			resumed := c.id != "" // with the model that it had
			switch {
			case c.sampleTimeout < 0:
				return errors.New("a timeout cannot be negative")
			case line == "" && (name != "" || c.sampleYes && !resumed):
				return errors.New("--sample-model and --sample-yes go with --sample-cmd")
			case line == "":
				return nil
			}
			words, err := sampler.Split(line)
			if err != nil {
				return fmt.Errorf("--sample-cmd: %w", err)
			}
			c.model = &sampler.Command{Words: words, Model: name}
			return nil
		},
	}
}

// sample has a model answer, or the script in its place.
func (h *host) sample(ctx context.Context, q parley.Question) ([]byte, error) {
	prompt, err := question.SamplingPrompt(q.Params)
	if err != nil {
		return nil, fmt.Errorf("the question %q of %s: %w", q.Key, h.Label, err)
	}
	h.begin(q, " for a model's answer")
	for _, message := range prompt {
		h.console.Trace("%s:", plain.Line(message.Who, maxKey))
		h.console.Quote(message.Text)
	}
	model, text, err := h.modelSays(ctx, q)
	if err != nil {
		return nil, h.ended(err)
	}
	h.console.Done("answered by %s", plain.Line(model, maxKey))
	return question.SamplingResult(model, text), nil
}

// modelSays gets an answer and shows it, with the person's consent before the
// model sees the prompt and before the server sees the answer.
func (h *host) modelSays(ctx context.Context, q parley.Question) (model, text string, err error) {
	if h.script != nil {
		if s := h.script.Sample(q.Key); s != nil {
			if model = s.Model; model == "" {
				model = "script"
			}
			h.quoteModel(model, s.Text)
			return model, s.Text, nil
		}
		if h.model == nil {
			return "", "", fmt.Errorf(`%s has no answer left for %q; add one to its "sample": {"key": %q, "text": "what a model might say"}, or give --sample-cmd`,
				h.scriptFile, q.Key, q.Key)
		}
	}
	if h.model == nil {
		return "", "", errors.New("the server asks for a model's answer, and there is no model: give --sample-cmd")
	}
	model = h.model.Name()
	if err := h.consent(ctx, "Give this to "+plain.Line(model, maxKey)+"?", "Yes"); err != nil {
		return "", "", err
	}
	for {
		if text, err = h.runModel(ctx, q.Params); err != nil {
			return "", "", err
		}
		h.quoteModel(model, text)
		err = h.consent(ctx, "Send this to "+h.Label+"?", "Send", "Ask "+plain.Line(model, maxKey)+" again")
		if !errors.Is(err, errAgain) {
			return model, text, err
		}
	}
}

func (h *host) quoteModel(model, text string) {
	h.console.Trace("%s says:", plain.Line(model, maxKey))
	h.console.Quote(text)
}

func (h *host) runModel(ctx context.Context, params []byte) (string, error) {
	if h.sampleTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, h.sampleTimeout, fmt.Errorf("no answer within %v (--sample-timeout)", h.sampleTimeout))
		defer cancel()
	}
	wait := h.console.Wait("waiting for " + plain.Line(h.model.Name(), maxKey))
	defer wait.Done()
	return h.model.Run(ctx, params)
}

var errAgain = errors.New("again")

// consent asks whether to go on: the first option does, the second asks the
// model again.
func (h *host) consent(ctx context.Context, question string, options ...string) error {
	if h.sampleYes {
		return nil
	}
	if h.dialogs == nil {
		return errors.New("the server wants a model's answer, but nobody is here to allow it: run parley in a terminal, or give --sample-yes")
	}
	chosen, err := h.dialogs.Choose(ctx, question, options...)
	if err == nil && chosen == 1 {
		return errAgain
	}
	return err
}
