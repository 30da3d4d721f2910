package main

import (
	"context"
	"fmt"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/parley/internal/sampler"
	"github.com/parley-mcp/parley/apps/parley/internal/script"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// consented is the ElicitResult of a person who agreed to open a page: what
// they do there is between them and the page.
var consented = []byte(`{"action":"accept"}`)

const punycode = "the name of this host stands for letters beyond a to z: what a browser shows may look like another name"

func (c *command) browserGroup() flags.Group {
	var line string
	return flags.Group{
		Text: "Pages, which open only if you agree:\n",
		Flags: []flags.Flag{{Name: "browser", Value: "'CMD ARGS'", To: &line,
			Text: "opens them; the address is added as the last argument. No shell (default: what BROWSER names, or the system's way)"}},
		Check: func() (err error) {
			if line == "" {
				return nil
			}
			if c.browser, err = sampler.Split(line); err != nil {
				return fmt.Errorf("--browser: %w", err)
			}
			return nil
		},
	}
}

// page asks for consent to open a page, and opens it.
func (h *host) page(ctx context.Context, q parley.Question) ([]byte, error) {
	url := jsontext.Text(q.Params, "url") // the engine let it through: plain ASCII
	if q.Repeat && q.Problem == "" {
		h.begin(q, " the same again: it is still waiting for what you do on its page")
	} else {
		h.begin(q, " to open a page")
	}
	if q.Problem == "" {
		h.console.Quote(jsontext.Text(q.Params, "message"))
		h.console.Address(url, q.Host)
		if q.Punycode {
			h.console.Warn("%s", punycode)
		}
		if q.Loopback {
			h.console.Say("  This page is on your own computer.")
		}
	}
	decision, err := h.decidePage(ctx, q, url)
	if err != nil {
		return nil, h.ended(err)
	}
	switch decision {
	case dialog.Decline:
		h.console.Done("declined")
		return parley.Decline(), nil
	case dialog.Dismiss:
		h.console.Done("dismissed")
		return parley.Dismiss(), nil
	}
	return consented, nil
}

func (h *host) decidePage(ctx context.Context, q parley.Question, url string) (dialog.Decision, error) {
	switch {
	case h.script != nil:
		a, err := h.scripted(q, `"accept"`)
		if err != nil {
			return 0, err
		}
		switch {
		case a.Action != script.Accept:
		case q.Repeat:
			h.console.Done("checked again")
		case h.browser == nil:
			h.console.Done("accepted; nothing was opened")
		default:
			if err := system.OpenPage(h.browser, url); err != nil {
				return 0, fmt.Errorf("opening %s: %w", url, err)
			}
			h.console.Done("opened")
		}
		return decisions[a.Action], nil
	case h.dialogs == nil:
		return 0, errNobody
	case q.Repeat:
		return h.askAgain(ctx, url)
	}
	return h.askToOpen(ctx, url)
}

// askToOpen asks until something was opened or the person has the address.
func (h *host) askToOpen(ctx context.Context, url string) (dialog.Decision, error) {
	for {
		chosen, err := h.dialogs.Choose(ctx, "Open this page?", "Open in the browser", "I will open it myself", dialog.ToDecline, dialog.ToDismiss)
		if err != nil || chosen >= 2 {
			return dialog.Decision(chosen - 1), err
		}
		if chosen == 1 {
			h.console.Done("to be opened by you:")
			h.console.Verbatim(url)
			return dialog.Send, nil
		}
		if h.open(url) {
			return dialog.Send, nil
		}
	}
}

// askAgain asks what to do about a page that was opened before: nothing opens
// by itself.
func (h *host) askAgain(ctx context.Context, url string) (dialog.Decision, error) {
	for {
		chosen, err := h.dialogs.Choose(ctx, "Are you done on the page?", "I am done: check again", "Open the page again", dialog.ToDecline, dialog.ToDismiss)
		if err != nil || chosen >= 2 {
			return dialog.Decision(chosen - 1), err
		}
		if chosen == 0 {
			h.console.Done("checked again")
			return dialog.Send, nil
		}
		h.open(url) // and asks again: the page needs its time
	}
}

func (h *host) open(url string) bool {
	if err := system.OpenPage(h.browser, url); err != nil {
		h.console.Warn("the browser did not open: %s. Here is the address:", plain.Line(err.Error(), maxMessage))
		h.console.Verbatim(url)
		return false
	}
	h.console.Done("opened in the browser")
	return true
}
