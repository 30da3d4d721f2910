package gosdk

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
)

// TokenPrincipal is the client, the issuer and the subject of the bearer token
// that the SDK's package auth has verified, nil where none is required. The
// subject is [auth.TokenInfo.UserID]. For the other two TokenInfo has no field:
// a verifier sets Extra["client_id"] and Extra["iss"], texts named like the
// claims, and an empty text counts as none. With all three a state opens for
// the same user at the same client only; another client of the user starts over.
//
// Without a subject it is the client and the issuer, so users of one client can
// continue each other's calls; the default [slog.Logger] says so once in a process.
// Without subject and client it fails.
//
// The tokens of codec/testdata/principals say the same in JavaScript and Python.
func TokenPrincipal(ctx context.Context, req mcp.Request) (*string, error) {
	extra := req.GetExtra()
	if extra == nil || extra.TokenInfo == nil {
		return nil, nil
	}
	info := extra.TokenInfo
	client, err := claim(info, "client_id")
	if err != nil {
		return nil, err
	}
	issuer, err := claim(info, "iss")
	if err != nil {
		return nil, err
	}
	if info.UserID != "" {
		return codec.Principal(client, issuer, &info.UserID), nil
	}
	if client == nil {
		return nil, errNoUser
	}
	warnNoSubject.Do(func() {
		slog.WarnContext(ctx, "parley: the token's verifier sets no UserID, so users of one client can continue each other's calls; "+
			"set it, or set gosdk.Options.Principal")
	})
	return codec.Principal(client, issuer, nil), nil
}

var warnNoSubject sync.Once

// claim is a claim that the verifier kept, nil without one.
func claim(info *auth.TokenInfo, name string) (*string, error) {
	switch text, isText := info.Extra[name].(string); {
	case info.Extra[name] == nil || isText && text == "":
		return nil, nil
	case !isText:
		return nil, errors.New("the token's verifier sets an Extra[" + name + "] that is no string")
	default:
		return &text, nil
	}
}

var errNoUser = errors.New("the token's verifier sets no UserID and no client_id; set them, or set gosdk.Options.Principal")
