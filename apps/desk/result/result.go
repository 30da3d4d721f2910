// Package result makes the results of tools, prompts and resources fit to be
// shown.
package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

// What a server can put into a result that is shown, in characters.
const (
	mostText = 4 << 20
	mostURI  = 1200
	mostName = 100
)

// Result is what the three results have to show.
type Result struct {
	IsError bool // a tool says that it failed

	call   schema.CallToolResult
	prompt schema.GetPromptResult
	read   schema.ReadResourceResult
}

// Read reads a result, and reports whether it is what the schema says as far as
// it is shown. What its method must bring besides [Lacks] knows.
func Read(raw []byte) (r Result, ok bool) {
	ok = (!isThere(raw, "content", "structuredContent", "isError") || r.call.UnmarshalJSON(raw) == nil) &&
		(!isThere(raw, "messages") || r.prompt.UnmarshalJSON(raw) == nil) &&
		(!isThere(raw, "contents") || r.read.UnmarshalJSON(raw) == nil)
	r.IsError = string(jsontext.Get(raw, "isError")) == "true"
	return r, ok
}

// Text is the result in lines, empty if there is nothing in it.
func (r Result) Text() string {
	var b strings.Builder
	structured := r.call.StructuredContent
	for _, block := range r.call.Content {
		if structured == nil || !sameJSON(block.Text, structured) { // tools repeat it for older clients
			paragraph(&b, content(block))
		}
	}
	if structured != nil {
		paragraph(&b, JSON(structured))
	}
	for _, m := range r.prompt.Messages {
		paragraph(&b, plain.Line(m.Role, mostName)+":\n"+content(m.Content))
	}
	for _, one := range r.read.Contents {
		text := resource(one)
		if len(r.read.Contents) > 1 {
			text = plain.Line(one.URI, mostURI) + ":\n" + text
		}
		paragraph(&b, text)
	}
	return b.String()
}

// paragraph adds text on lines of its own.
func paragraph(b *strings.Builder, text string) {
	b.WriteString(strings.TrimRight(text, "\n") + "\n")
}

func content(c schema.Content) string {
	switch c.Type {
	case "text":
		return plain.Text(c.Text, mostText)
	case "image", "audio":
		return fmt.Sprintf("[%s, %s, %d bytes]", c.Type, plain.Line(c.MIMEType, mostName), len(c.Data))
	case "resource_link":
		return fmt.Sprintf("[resource %s: %s]", plain.Line(c.Name, mostName), plain.Line(c.URI, mostURI))
	case "resource":
		if c.Resource != nil {
			return plain.Line(c.Resource.URI, mostURI) + ":\n" + resource(c.Resource)
		}
	}
	return fmt.Sprintf("[content of type %q, to be seen as JSON only]", plain.Line(c.Type, mostName))
}

func resource(r *schema.ResourceContents) string {
	if r.Blob == nil {
		return plain.Text(r.Text, mostText)
	}
	return fmt.Sprintf("[%s, %d bytes]", plain.Line(r.MIMEType, mostName), len(r.Blob))
}

// JSON is JSON on lines, with what cannot be seen spelled out.
func JSON(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Write(raw)
	}
	return plain.JSON(b.String())
}

func sameJSON(text string, raw []byte) bool {
	var a, b bytes.Buffer
	return json.Compact(&a, []byte(text)) == nil && json.Compact(&b, raw) == nil && bytes.Equal(a.Bytes(), b.Bytes())
}
