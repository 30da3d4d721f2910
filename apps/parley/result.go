package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
)

// mostResult bounds a text of a result, in characters; --json has no bound.
const mostResult = 4 << 20

// result is what the three results have to show.
type result struct {
	Content    []content       // CallToolResult
	Structured json.RawMessage // CallToolResult
	IsError    bool            // CallToolResult
	Messages   []promptMessage // GetPromptResult
	Contents   []resource      // ReadResourceResult
}

// promptMessage is a PromptMessage.
type promptMessage struct {
	Role    string
	Content content
}

// content is a ContentBlock.
type content struct {
	Type     string
	Text     string
	Data     string
	MIMEType string
	Name     string
	URI      string
	Resource resource
}

// resource is a ResourceContents.
type resource struct {
	URI      string
	MIMEType string
	Text     *string
	Blob     string
}

// readResult reads a result, and reports whether it is what the schema says as
// far as it is shown.
func readResult(raw []byte) (r result, ok bool) {
	var in jsontext.Reader
	for _, block := range in.List(raw, "content") {
		r.Content = append(r.Content, readContent(&in, block))
	}
	r.Structured = jsontext.Get(raw, "structuredContent")
	in.Read(raw, "isError", &r.IsError)
	for _, message := range in.List(raw, "messages") {
		r.Messages = append(r.Messages, promptMessage{in.Text(message, "role"), readContent(&in, jsontext.Get(message, "content"))})
	}
	for _, one := range in.List(raw, "contents") {
		r.Contents = append(r.Contents, readResource(&in, one))
	}
	return r, !in.Odd
}

func readContent(in *jsontext.Reader, raw []byte) content {
	return content{
		Type: in.Text(raw, "type"), Text: in.Text(raw, "text"), Data: in.Text(raw, "data"), MIMEType: in.Text(raw, "mimeType"),
		Name: in.Text(raw, "name"), URI: in.Text(raw, "uri"), Resource: readResource(in, jsontext.Get(raw, "resource")),
	}
}

func readResource(in *jsontext.Reader, raw []byte) resource {
	r := resource{URI: in.Text(raw, "uri"), MIMEType: in.Text(raw, "mimeType"), Blob: in.Text(raw, "blob")}
	in.Read(raw, "text", &r.Text)
	return r
}

// print writes the result and returns the exit code.
func (c *command) print(out *os.File, screen *console.Console, raw []byte) int {
	r, ok := readResult(raw)
	switch {
	case c.json:
		printJSON(out, raw)
	case !ok:
		screen.Warn("the result is not what the schema says; here it is as JSON")
		fmt.Fprintln(out, pretty(raw))
	default:
		fmt.Fprint(out, r.text())
	}
	if ok && r.IsError && c.method == "tools/call" {
		screen.Fail("%s says that this is an error", c.subject)
		return exitToolError
	}
	return exitDone
}

// printJSON writes JSON as it is, to a terminal with what cannot be seen there
// spelled out.
func printJSON(out *os.File, raw []byte) {
	if term.IsTerminal(out.Fd()) {
		raw = []byte(plain.JSON(string(raw)))
	}
	out.Write(append(raw, '\n'))
}

func (r result) text() string {
	var b strings.Builder
	for _, block := range r.Content {
		if r.Structured == nil || !sameJSON(block.Text, r.Structured) { // tools repeat it for older clients
			paragraph(&b, block.text())
		}
	}
	if r.Structured != nil {
		paragraph(&b, pretty(r.Structured))
	}
	for _, m := range r.Messages {
		paragraph(&b, plain.Line(m.Role, mostKey)+":\n"+m.Content.text())
	}
	for _, one := range r.Contents {
		text := one.text()
		if len(r.Contents) > 1 {
			text = plain.Line(one.URI, mostMessage) + ":\n" + text
		}
		paragraph(&b, text)
	}
	return b.String()
}

// paragraph adds text on lines of its own.
func paragraph(b *strings.Builder, text string) {
	b.WriteString(strings.TrimRight(text, "\n") + "\n")
}

func (c content) text() string {
	switch c.Type {
	case "text":
		return plain.Text(c.Text, mostResult)
	case "image", "audio":
		return fmt.Sprintf("[%s, %s, %s]", c.Type, plain.Line(c.MIMEType, mostKey), size(c.Data))
	case "resource_link":
		return fmt.Sprintf("[resource %s: %s]", plain.Line(c.Name, mostKey), plain.Line(c.URI, mostMessage))
	case "resource":
		return plain.Line(c.Resource.URI, mostMessage) + ":\n" + c.Resource.text()
	}
	return fmt.Sprintf("[content of type %q, see --json]", plain.Line(c.Type, mostKey))
}

func (r resource) text() string {
	if r.Text != nil {
		return plain.Text(*r.Text, mostResult)
	}
	return fmt.Sprintf("[%s, %s]", plain.Line(r.MIMEType, mostKey), size(r.Blob))
}

// size is how many bytes a base64 text holds.
func size(data string) string {
	unpadded := strings.TrimRight(data, "=")
	return fmt.Sprintf("%d bytes", base64.RawStdEncoding.DecodedLen(len(unpadded)))
}

func pretty(raw []byte) string {
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
