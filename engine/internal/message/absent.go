package message

import "github.com/parley-mcp/parley/rawjson"

// What absent, null and "" mean, for every member that is looked at. Each cell is a
// script: engine/session/ABSENT.md.

// forgetAbsent takes members for absent that are as good as that. Serializers write
// null for what is absent, and "" for a string that is not set.
func (m *Message) forgetAbsent() {
	const meant = 1<<ID | 1<<TTL | 1<<TTLMs | 1<<Result // a task whose ttl is null has no end
	m.has &^= m.null &^ meant
	if m.Kind(Method) == '"' && m.Len(Method) == len(`""`) {
		m.has &^= 1 << Method
	}
	// Null alone is the response to a request that has nothing to say.
	if m.Kind(Result) == 'n' && (m.Has(Error) || m.Has(Method) || m.AsksBeside()) {
		m.has &^= 1 << Result
	}
}

// IsEmptyArray reports whether a value is an array without elements, as which some
// languages write an object without members.
func IsEmptyArray(value []byte) bool {
	if !rawjson.IsArray(value) {
		return false
	}
	rest := rawjson.Trim(value[1:])
	return len(rest) > 0 && rest[0] == ']'
}

// maxCursor is how long a cursor may be, in bytes with its quotes.
const maxCursor = 16<<10 + 2

// Cursor asks for the next page of a list, as the server wrote it; nil if this is the
// last one, or if there is something else in its place.
//
// In MCP 2026-07-28 an empty string is a cursor (server/utilities/pagination). Before
// that no text says so, and servers mean the end by it: emptyEnds.
func (m *Message) Cursor(emptyEnds bool) []byte {
	cursor := m.Text(NextCursor)
	if len(cursor) > maxCursor || emptyEnds && string(cursor) == `""` || !rawjson.IsString(cursor) && !rawjson.IsNumber(cursor) {
		return nil
	}
	return cursor
}

// whole are the methods whose results must bring an array, each with its name.
//
// Source: schema, CallToolResult, GetPromptResult, ReadResourceResult and the lists.
var whole = [...]struct {
	method string
	member Name
}{
	{"tools/call", Content},
	{"prompts/get", Messages},
	{"resources/read", Contents},
	{"tools/list", Tools},
	{"prompts/list", Prompts},
	{"resources/list", Resources},
	{"resources/templates/list", ResourceTemplates},
}

// Brings is the array that the result of a method must bring, 0 if it need not bring
// any.
func Brings(method string) Name {
	for i := range whole {
		if whole[i].method == method {
			return whole[i].member
		}
	}
	return 0
}

// IsList reports whether the result of a method that brings a member is a page.
func (n Name) IsList() bool { return n >= Tools && n <= ResourceTemplates }
