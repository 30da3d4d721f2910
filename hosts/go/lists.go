package parley

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strconv"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/hosts/go/schema"
	"github.com/parley-mcp/parley/sentence"
)

// maxPages bounds a list.
const maxPages = 1000

// methodNotFound is the JSON-RPC error of a server that has no such list.
const methodNotFound = -32601

// Tools are the server's tools. The next page is asked for when the loop wants
// more than the last one had; an error ends it. A server that has no tools has
// an empty list. A tool that has no name is left out, and a list that would never end
// ends, which OnWarning is told. A [Request] without Method and Params may say what else each
// page's call has, such as its Askers.
//
//	for tool, err := range session.Tools(ctx) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(tool.Name)
//	}
func (s *Session) Tools(ctx context.Context, with ...Request) iter.Seq2[*schema.Tool, error] {
	return list(ctx, s, with, "tools/list", func(text []byte) ([]*schema.Tool, []*schema.Error, error) {
		var page schema.ListToolsResult
		err := page.UnmarshalJSON(text)
		return page.Tools, page.LeftOut, err
	}, func(t *schema.Tool) string { return t.Name })
}

// Prompts are the server's prompts; see [Session.Tools].
func (s *Session) Prompts(ctx context.Context, with ...Request) iter.Seq2[*schema.Prompt, error] {
	return list(ctx, s, with, "prompts/list", func(text []byte) ([]*schema.Prompt, []*schema.Error, error) {
		var page schema.ListPromptsResult
		err := page.UnmarshalJSON(text)
		return page.Prompts, page.LeftOut, err
	}, func(p *schema.Prompt) string { return p.Name })
}

// Resources are the server's resources; see [Session.Tools].
func (s *Session) Resources(ctx context.Context, with ...Request) iter.Seq2[*schema.Resource, error] {
	return list(ctx, s, with, "resources/list", func(text []byte) ([]*schema.Resource, []*schema.Error, error) {
		var page schema.ListResourcesResult
		err := page.UnmarshalJSON(text)
		return page.Resources, page.LeftOut, err
	}, func(r *schema.Resource) string { return r.URI })
}

// ResourceTemplates are the server's templates of resources; see [Session.Tools].
func (s *Session) ResourceTemplates(ctx context.Context, with ...Request) iter.Seq2[*schema.ResourceTemplate, error] {
	return list(ctx, s, with, "resources/templates/list", func(text []byte) ([]*schema.ResourceTemplate, []*schema.Error, error) {
		var page schema.ListResourceTemplatesResult
		err := page.UnmarshalJSON(text)
		return page.ResourceTemplates, page.LeftOut, err
	}, func(t *schema.ResourceTemplate) string { return t.URITemplate })
}

// list asks for page after page. Where the server refuses a cursor that a kept
// page had, it begins again and leaves out what the loop has: else nobody would
// see that pages were kept.
//
// Source: MCP 2026-07-28, server/utilities/caching, Interaction with Pagination.
func list[T any](ctx context.Context, s *Session, with []Request, method string, read readPage[T], name func(*T) string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		cursors, has := map[string]bool{}, map[string]bool{}
		var cursor json.RawMessage
		kept, again := false, false
		for {
			p, err := page(ctx, s, with, method, cursor, read)
			switch {
			case err == nil:
			case cursor != nil && kept && isRefused(err):
				clear(cursors)
				cursor, kept, again = nil, false, true
				continue
			case isOddCursor(cursor) && isRefused(err):
				s.warn(sentence.Say("{0}: the server does not take the cursor {1} that it gave (JSON-RPC error {2}): the list ends here, and pages may be missing",
					sentence.Value(method), sentence.Value(string(cursor)), sentence.Value(strconv.Itoa(codeOf(err)))))
				return
			default:
				if cursor != nil || codeOf(err) != methodNotFound {
					yield(nil, err)
				}
				return
			}
			kept = kept || p.out.Cached
			next := p.out.Next
			ends := cursors[string(next)]
			for _, item := range p.items {
				if (again || ends) && has[name(item)] {
					continue
				}
				has[name(item)] = true
				if !yield(item, nil) {
					return
				}
			}
			switch {
			case next == nil:
				return
			case ends:
				s.warn(sentence.About("{0}: the server gave a cursor a second time, so its pages would never end: the list ends here", method))
				return
			case len(cursors) == maxPages-1:
				yield(nil, &Error{Code: fault.Limit, Detail: method + ": there are more than 1,000 pages"})
				return
			}
			cursors[string(next)] = true
			cursor = next
		}
	}
}

// readPage reads a page, and says what is wrong with the items that it leaves out.
type readPage[T any] func([]byte) (items []*T, left []*schema.Error, err error)

// listPage is a page that was read.
type listPage[T any] struct {
	items []*T
	out   Outcome
}

func page[T any](ctx context.Context, s *Session, with []Request, method string, cursor json.RawMessage, read readPage[T]) (p listPage[T], err error) {
	var r Request
	if len(with) > 0 {
		r = with[0]
	}
	if r.Method != "" || r.Params != nil || len(with) > 1 {
		return p, misuse(method + " takes one Request at most, without Method and Params")
	}
	r.Method = method
	if cursor != nil {
		r.Params = append(append([]byte(`{"cursor":`), cursor...), '}')
	}
	if p.out, err = s.Call(ctx, r); err != nil {
		return p, err
	}
	if p.out.Lacks != "" {
		return p, malformed(method, p.out.Lacks)
	}
	items, left, err := read(p.out.Result)
	if err != nil {
		return p, unreadable(method, err)
	}
	p.items = items
	if len(left) > 0 {
		s.warn(sentence.Say("left out {0} of the {1} entries of {2}: {3} {4}", sentence.Value(strconv.Itoa(len(left))), sentence.Value(strconv.Itoa(len(left)+len(items))),
			sentence.Value(method), sentence.Value(left[0].Path), sentence.Value(left[0].Reason)))
	}
	return p, nil
}

// warn tells who watches the session.
func (s *Session) warn(text sentence.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell(session.Warning{Text: text})
}

// isOddCursor reports whether a cursor is one that a server may not have meant.
func isOddCursor(cursor json.RawMessage) bool {
	return len(cursor) > 0 && (cursor[0] != '"' || string(cursor) == `""`)
}

// isRefused reports whether the server has answered with an error.
func isRefused(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && failed.Code == fault.RPC
}

// codeOf is the code of the error that the server has answered with, 0 if it has not.
func codeOf(err error) int {
	var failed *Error
	var response struct{ Code int }
	if !errors.As(err, &failed) || failed.Code != fault.RPC || json.Unmarshal(failed.Response, &response) != nil {
		return 0
	}
	return response.Code
}
