// Package sampling checks both ends of sampling/createMessage: the params that
// a server asks with, before a person sees them, and the result that the host
// gives, before the server sees it. Both must have passed [rawjson.Strict].
package sampling

import (
	"github.com/parley-mcp/parley/engine/internal/shape"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// types are those of schema.ts, MCP 2026-07-28, under its names where it has
// some. What it leaves open stays open: other members are tolerated, and a
// tool's schema is left to who calls the model.
//
// Which block may stand where is in its words: tool_use is "a request from the
// assistant", tool_result is "provided by the user", and the content of a
// tool_result "has the same format as CallToolResult.content".
const types = `UserBlock |type text|image|audio|tool_result
AssistantBlock |type text|image|audio|tool_use
ContentBlock |type text|image|audio|resource_link|resource
text text:string
image data:string mimeType:string
audio data:string mimeType:string
resource_link name:string uri:string
resource resource:ResourceContents
ResourceContents uri:string text?:string blob?:string
tool_use id:string name:string input:object
tool_result toolUseId:string content:ContentBlock[]
SamplingMessage |role user|assistant
user content:UserBlock*
assistant content:AssistantBlock*
Tool name:string inputSchema:object
ToolChoice mode?:"auto"|"required"|"none"
CreateMessageRequestParams messages:SamplingMessage[] maxTokens:number systemPrompt?:string temperature?:number ` +
	`stopSequences?:string[] modelPreferences?:object metadata?:object ` +
	`includeContext?:"none"|"thisServer"|"allServers" tools?:Tool[] toolChoice?:ToolChoice
CreateMessageResult role:"assistant" content:AssistantBlock* model:string stopReason?:string`

// CheckRequest reads CreateMessageRequestParams. tools is whether the client
// declared sampling.tools. The fault says what is wrong and where, and is empty
// if the request may be asked. undeclared tells a server that oversteps the
// capabilities it was given from one that sends what the schema forbids.
func CheckRequest(span []byte, tools bool) (fault sentence.Text, undeclared bool) {
	c := conversation{tools: tools}
	fault = c.checkRequest(span)
	return fault, c.undeclared
}

func (c *conversation) checkRequest(span []byte) (fault sentence.Text) {
	var maxTokens []byte
	usesTools := false
	var m rawjson.Members
	for m.StartChecked(span); m.Next(); {
		switch {
		case string(m.Value) == "null": // as good as absent
		case m.Is("tools"), m.Is("toolChoice"):
			usesTools = true
		case m.Is("maxTokens"):
			maxTokens = m.Value
		}
	}
	// The client MUST return an error if one of the two is provided, whatever it
	// holds (schema.ts, CreateMessageRequestParams).
	if usesTools && !c.tools {
		c.undeclared = true
		return "tools or toolChoice needs the capability sampling.tools, which was not declared"
	}
	s := shape.Schema{Types: types, Rule: c.rule, Null: true}
	if fault = s.Check(span, "CreateMessageRequestParams"); fault != "" {
		return fault
	}
	if !isCount(maxTokens) {
		return "maxTokens is not a whole number from 1 to 9007199254740991"
	}
	if c.open > 0 {
		return "messages ends with a tool_use and without its tool_result"
	}
	return ""
}

// CheckResult reads the host's CreateMessageResult. The fault says what is wrong
// and where, and is empty if the result may be sent.
func CheckResult(span []byte) (fault sentence.Text) {
	c := conversation{tools: true}
	s := shape.Schema{Types: types, Rule: c.rule}
	return s.Check(span, "CreateMessageResult")
}

// isCount reports whether a number is one of tokens that a host can hold
// exactly in any language. A fraction of zeros is tolerated, since 100.0 is an
// integer to JSON Schema; nothing writes a number of this size as 1e2.
func isCount(number []byte) bool {
	const most = 1<<53 - 1
	end := 0
	for end < len(number) && number[end] != '.' {
		end++
	}
	n, ok := rawjson.Int(number[:end])
	for i := end + 1; i < len(number); i++ {
		ok = ok && number[i] == '0'
	}
	return ok && n > 0 && n <= most
}
