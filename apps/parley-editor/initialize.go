package main

import (
	"context"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/parley-mcp/parley/apps/shared-go/system"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// abilities are the kinds of question that the editor can put to the person.
type abilities struct {
	Elicit bool `json:"elicit"`
	URL    bool `json:"url"`
	Sample bool `json:"sample"`
	Roots  bool `json:"roots"`

	Authorize bool `json:"authorize"` // ask/sign-in and ask/browser
}

// initializeParams are what the editor says of itself.
type initializeParams struct {
	Protocol int                   `json:"protocol"`
	Client   parley.Implementation `json:"client"`
	Asks     abilities             `json:"asks"`
	Audit    bool                  `json:"audit"`
	LogLevel string                `json:"logLevel"`
}

type initializeResult struct {
	Protocol int    `json:"protocol"`
	Name     string `json:"name"`
	Version  string `json:"version"`
	Parking  bool   `json:"parking"` // calls are kept
}

func (h *host) initialize(_ context.Context, p *initializeParams) (*initializeResult, error) {
	if p.Protocol != protocol {
		return nil, wrong("protocol %d is not spoken here, but %d: the plug-in and parley-editor are of different versions", p.Protocol, protocol)
	}
	if !h.editor.CompareAndSwap(nil, p) {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "initialize comes only once"}
	}
	return &initializeResult{Protocol: protocol, Name: "parley-editor", Version: system.Version(), Parking: h.store != nil}, nil
}
