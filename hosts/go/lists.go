package parley

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/hosts/go/schema"
	"github.com/parley-mcp/parley/rawjson"
)

// Bounds of a list.
const (
	maxPages  = 1000
	maxCursor = 16 << 10 // bytes
)

// methodNotFound is the JSON-RPC error of a server that has no such list.
const methodNotFound = -32601

// Tools are the server's tools. The next page is asked for when the loop wants
// more than the last one had; an error ends it. A server that has no tools has
// an empty list. A [Request] without Method and Params may say what else each
// page's call has, such as its Askers.
//
//	for tool, err := range session.Tools(ctx) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(tool.Name)
//	}
func (s *Session) Tools(ctx context.Context, with ...Request) iter.Seq2[*schema.Tool, error] {
	return list(ctx, s, with, "tools/list", func(text []byte) ([]*schema.Tool, string, error) {
		var page schema.ListToolsResult
		err := page.UnmarshalJSON(text)
		return page.Tools, page.NextCursor, err
	}, func(t *schema.Tool) string { return t.Name })
}

// Prompts are the server's prompts; see [Session.Tools].
func (s *Session) Prompts(ctx context.Context, with ...Request) iter.Seq2[*schema.Prompt, error] {
	return list(ctx, s, with, "prompts/list", func(text []byte) ([]*schema.Prompt, string, error) {
		var page schema.ListPromptsResult
		err := page.UnmarshalJSON(text)
		return page.Prompts, page.NextCursor, err
	}, func(p *schema.Prompt) string { return p.Name })
}

// Resources are the server's resources; see [Session.Tools].
func (s *Session) Resources(ctx context.Context, with ...Request) iter.Seq2[*schema.Resource, error] {
	return list(ctx, s, with, "resources/list", func(text []byte) ([]*schema.Resource, string, error) {
		var page schema.ListResourcesResult
		err := page.UnmarshalJSON(text)
		return page.Resources, page.NextCursor, err
	}, func(r *schema.Resource) string { return r.URI })
}

// ResourceTemplates are the server's templates of resources; see [Session.Tools].
func (s *Session) ResourceTemplates(ctx context.Context, with ...Request) iter.Seq2[*schema.ResourceTemplate, error] {
	return list(ctx, s, with, "resources/templates/list", func(text []byte) ([]*schema.ResourceTemplate, string, error) {
		var page schema.ListResourceTemplatesResult
		err := page.UnmarshalJSON(text)
		return page.ResourceTemplates, page.NextCursor, err
	}, func(t *schema.ResourceTemplate) string { return t.URITemplate })
}

// list asks for page after page. Where the server refuses a cursor that a kept
// page had, it begins again and leaves out what the loop has: else nobody would
// see that pages were kept.
//
// Source: MCP 2026-07-28, server/utilities/caching, Interaction with Pagination.
func list[T any](ctx context.Context, s *Session, with []Request, method string, read func([]byte) ([]*T, string, error), name func(*T) string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		cursors, has := map[string]bool{}, map[string]bool{}
		cursor, kept, again := "", false, false
		for {
			items, next, cached, err := page(ctx, s, with, method, cursor, read)
			switch {
			case err == nil:
			case cursor != "" && kept && isRefused(err):
				clear(cursors)
				cursor, kept, again = "", false, true
				continue
			default:
				if cursor != "" || !isAbsent(err) {
					yield(nil, err)
				}
				return
			}
			kept = kept || cached
			for _, item := range items {
				if again && has[name(item)] {
					continue
				}
				has[name(item)] = true
				if !yield(item, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			if err := nextPage(method, cursors, next); err != nil {
				yield(nil, err)
				return
			}
			cursor = next
		}
	}
}

func page[T any](ctx context.Context, s *Session, with []Request, method, cursor string, read func([]byte) ([]*T, string, error)) (items []*T, next string, cached bool, err error) {
	var r Request
	if len(with) > 0 {
		r = with[0]
	}
	if r.Method != "" || r.Params != nil || len(with) > 1 {
		return nil, "", false, misuse(method + " takes one Request at most, without Method and Params")
	}
	r.Method = method
	if cursor != "" {
		r.Params = append(rawjson.AppendQuoted([]byte(`{"cursor":`), cursor), '}')
	}
	out, err := s.Call(ctx, r)
	if err != nil {
		return nil, "", false, err
	}
	items, next, err = read(out.Result)
	if err != nil {
		return nil, "", false, unreadable(method, err)
	}
	return items, next, out.Cached, nil
}

// nextPage refuses what would never end.
func nextPage(method string, cursors map[string]bool, next string) error {
	switch {
	case len(next) > maxCursor:
		return &Error{Code: fault.Limit, Detail: method + ": a cursor is longer than 16 KiB"}
	case cursors[next]:
		return &Error{Code: fault.Malformed, Detail: method + ": the server gave a cursor a second time, so its pages would never end"}
	case len(cursors) == maxPages-1:
		return &Error{Code: fault.Limit, Detail: method + ": there are more than 1,000 pages"}
	}
	cursors[next] = true
	return nil
}

// isRefused reports whether the server has answered with an error.
func isRefused(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && failed.Code == fault.RPC
}

// isAbsent reports whether an error says that the server has no such list.
func isAbsent(err error) bool {
	var failed *Error
	var response struct{ Code int }
	return errors.As(err, &failed) && failed.Code == fault.RPC && json.Unmarshal(failed.Response, &response) == nil && response.Code == methodNotFound
}
