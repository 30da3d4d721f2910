package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/examples/terminal/internal/console"
	"github.com/parley-mcp/parley/internal/plain"
)

// mostResult bounds a text of a result, in characters; --json has no bound.
const mostResult = 4 << 20

// result is what the three results have to show.
type result struct {
	Content    []content       `json:"content"`           // CallToolResult
	Structured json.RawMessage `json:"structuredContent"` // CallToolResult
	IsError    bool            `json:"isError"`           // CallToolResult
	Messages   []struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"messages"` // GetPromptResult
	Contents []resource `json:"contents"` // ReadResourceResult
}

// content is a ContentBlock.
type content struct {
	Type     string   `json:"type"`
	Text     string   `json:"text"`
	Data     string   `json:"data"`
	MIMEType string   `json:"mimeType"`
	Name     string   `json:"name"`
	URI      string   `json:"uri"`
	Resource resource `json:"resource"`
}

// resource is a ResourceContents.
type resource struct {
	URI      string  `json:"uri"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Blob     string  `json:"blob"`
}

// print writes the result and returns the exit code.
func (c *command) print(out *os.File, screen *console.Console, raw []byte) int {
	var r result
	err := json.Unmarshal(raw, &r)
	switch {
	case c.json:
		printJSON(out, raw)
	case err != nil:
		screen.Warn("the result is not what the schema says; here it is as JSON")
		fmt.Fprintln(out, pretty(raw))
	default:
		fmt.Fprint(out, r.text())
	}
	if err == nil && r.IsError && c.method == "tools/call" {
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
