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
// an empty list.
//
//	for tool, err := range session.Tools(ctx) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(tool.Name)
//	}
func (s *Session) Tools(ctx context.Context) iter.Seq2[*schema.Tool, error] {
	return list(ctx, s, "tools/list", func(text []byte) ([]*schema.Tool, string, error) {
		var page schema.ListToolsResult
		err := page.UnmarshalJSON(text)
		return page.Tools, page.NextCursor, err
	})
}

// Prompts are the server's prompts; see [Session.Tools].
func (s *Session) Prompts(ctx context.Context) iter.Seq2[*schema.Prompt, error] {
	return list(ctx, s, "prompts/list", func(text []byte) ([]*schema.Prompt, string, error) {
		var page schema.ListPromptsResult
		err := page.UnmarshalJSON(text)
		return page.Prompts, page.NextCursor, err
	})
}

// Resources are the server's resources; see [Session.Tools].
func (s *Session) Resources(ctx context.Context) iter.Seq2[*schema.Resource, error] {
	return list(ctx, s, "resources/list", func(text []byte) ([]*schema.Resource, string, error) {
		var page schema.ListResourcesResult
		err := page.UnmarshalJSON(text)
		return page.Resources, page.NextCursor, err
	})
}

// ResourceTemplates are the server's templates of resources; see [Session.Tools].
func (s *Session) ResourceTemplates(ctx context.Context) iter.Seq2[*schema.ResourceTemplate, error] {
	return list(ctx, s, "resources/templates/list", func(text []byte) ([]*schema.ResourceTemplate, string, error) {
		var page schema.ListResourceTemplatesResult
		err := page.UnmarshalJSON(text)
		return page.ResourceTemplates, page.NextCursor, err
	})
}

// list asks for page after page.
func list[T any](ctx context.Context, s *Session, method string, read func([]byte) ([]*T, string, error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		cursors := map[string]bool{}
		cursor := ""
		for {
			items, next, err := page(ctx, s, method, cursor, read)
			if err != nil {
				if cursor != "" || !isAbsent(err) {
					yield(nil, err)
				}
				return
			}
			for _, item := range items {
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

func page[T any](ctx context.Context, s *Session, method, cursor string, read func([]byte) ([]*T, string, error)) ([]*T, string, error) {
	r := Request{Method: method}
	if cursor != "" {
		r.Params = append(rawjson.AppendQuoted([]byte(`{"cursor":`), cursor), '}')
	}
	out, err := s.Call(ctx, r)
	if err != nil {
		return nil, "", err
	}
	items, next, err := read(out.Result)
	if err != nil {
		return nil, "", unreadable(method, err)
	}
	return items, next, nil
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

// isAbsent reports whether an error says that the server has no such list.
func isAbsent(err error) bool {
	var failed *Error
	var response struct{ Code int }
	return errors.As(err, &failed) && failed.Code == fault.RPC && json.Unmarshal(failed.Response, &response) == nil && response.Code == methodNotFound
}
