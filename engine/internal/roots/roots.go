// Package roots checks the directories and files that a host is about to name
// to a server in answer to roots/list.
//
// A root is a file: uri that the server turns into a path, in whatever language
// and on whatever system it runs. What two readers could take for different
// paths is refused, because the person agreed to one of them.
package roots

import (
	"github.com/parley-mcp/parley/engine/internal/shape"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Max is how many roots one result may hold.
const Max = 1024

// types are those of schema.ts, MCP 2026-07-28.
const types = `Root uri:string name?:string
ListRootsResult roots:Root[]`

// CheckResult reads a host's ListRootsResult, which must have passed
// [rawjson.Strict]. The fault is fixed text that says what is wrong and where,
// and empty if the result may be sent.
func CheckResult(span []byte) (fault sentence.Text) {
	var c counter
	s := shape.Schema{Types: types, Rule: c.rule}
	return s.Check(span, "ListRootsResult")
}

// counter is how many roots there were.
type counter int

func (c *counter) rule(name string, span []byte) (fault shape.Fault) {
	if name != "Root" {
		return fault
	}
	if *c++; *c > Max {
		return shape.Fault{What: "{0} is one root more than the 1024 allowed"}
	}
	uri, ok := rawjson.Unquote(rawjson.Member(span, "uri"))
	if !ok {
		return shape.Fault{Path: ".uri", What: "{0} is not Unicode text"}
	}
	return shape.Fault{Path: ".uri", What: checkURI(uri)}
}
