package sampling

import (
	"github.com/parley-mcp/parley/engine/internal/shape"
	"github.com/parley-mcp/parley/rawjson"
)

// conversation follows tool uses through the messages.
//
// Source: MCP 2026-07-28, client/sampling, Tool Use and Result Balance: every
// assistant message with tool uses MUST be followed by a user message that
// consists entirely of tool results, with each tool use matched, before any
// other message.
type conversation struct {
	tools      bool // sampling.tools was declared
	undeclared bool // the fault is that it was not

	asked    ids // of the tool uses in the message before
	answered ids // of those that have a result
	open     int // how many have none

	uses    ids // of the tool uses in the message being read
	count   int // how many they are
	results int // in the message being read
	blocks  int // of a user in the message being read, with the results
}

// ids is a set of strings as JSON tokens, however they are escaped. Only Add
// can tell what is in it.
type ids = rawjson.Names

// rule is called for blocks before the message that holds them.
func (c *conversation) rule(name string, span []byte) (fault shape.Fault) {
	switch name {
	case "tool_use":
		return c.use(rawjson.Member(span, "id"))
	case "tool_result":
		return c.result(rawjson.Member(span, "toolUseId"))
	case "UserBlock":
		c.blocks++
	case "SamplingMessage":
		return c.message()
	case "ResourceContents":
		if !rawjson.IsString(rawjson.Member(span, "text")) && !rawjson.IsString(rawjson.Member(span, "blob")) {
			return shape.Fault{What: "{0} has neither text nor blob"}
		}
	}
	return fault
}

// use notes a tool_use. Its id is "a unique identifier for this tool use"
// (schema.ts); that matters within its message, where results are matched.
func (c *conversation) use(id []byte) (fault shape.Fault) {
	if !c.tools {
		return c.needsTools()
	}
	if c.uses.Add(id) != nil {
		return shape.Fault{Path: ".id", What: "{0} is not Unicode text or is that of another tool_use in the message"}
	}
	c.count++
	return fault
}

func (c *conversation) result(id []byte) (fault shape.Fault) {
	if !c.tools {
		return c.needsTools()
	}
	if c.asked.Add(id) == nil || c.answered.Add(id) != nil {
		return shape.Fault{Path: ".toolUseId", What: "{0} is not that of an unanswered tool_use in the message before"}
	}
	c.results++
	c.open--
	return fault
}

// message ends a message of either role; an assistant's has no results.
func (c *conversation) message() (fault shape.Fault) {
	if c.results > 0 && c.results < c.blocks {
		// client/sampling, Tool Result Messages: it MUST contain ONLY tool results.
		return shape.Fault{Path: ".content", What: "{0} has a tool_result and something else"}
	}
	if c.open > 0 {
		return shape.Fault{What: "{0} follows a tool_use and has no tool_result for it"}
	}
	*c = conversation{tools: c.tools, asked: c.uses, open: c.count}
	return fault
}

func (c *conversation) needsTools() (fault shape.Fault) {
	c.undeclared = true
	return shape.Fault{What: "{0} needs the capability sampling.tools, which was not declared"}
}
