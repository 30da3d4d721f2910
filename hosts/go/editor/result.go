package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/internal/plain"
)

// mostResult bounds a result that is shown, in characters.
const mostResult = 4 << 20

// resultText is a result of any of the three methods, to be shown, and whether
// a tool says in it that it failed.
func resultText(raw []byte) (text string, isError bool) {
	var b strings.Builder
	add := func(text string) {
		if text != "" {
			b.WriteString(strings.TrimRight(text, "\n") + "\n")
		}
	}
	structured := member(raw, "structuredContent")
	for _, block := range elements(member(raw, "content")) { // CallToolResult
		if structured == nil || !sameJSON(words(member(block, "text")), structured) { // tools repeat it for older clients
			add(blockText(block))
		}
	}
	if structured != nil {
		add(pretty(structured))
	}
	for _, message := range elements(member(raw, "messages")) { // GetPromptResult
		add(plain.Line(words(member(message, "role")), mostName) + ":\n" + blockText(member(message, "content")))
	}
	for _, one := range elements(member(raw, "contents")) { // ReadResourceResult
		add(resourceText(one))
	}
	if b.Len() == 0 {
		add(pretty(raw))
	}
	return b.String(), string(member(raw, "isError")) == "true"
}

// elements are those of an array, none where it is something else.
func elements(raw []byte) (list []json.RawMessage) {
	json.Unmarshal(raw, &list)
	return list
}

// blockText is a ContentBlock.
func blockText(block []byte) string {
	line := func(name string) string { return plain.Line(words(member(block, name)), mostMessage) }
	switch kind := words(member(block, "type")); kind {
	case "text":
		return plain.Text(words(member(block, "text")), mostResult)
	case "image", "audio":
		return fmt.Sprintf("[%s, %s, %s]", kind, line("mimeType"), size(words(member(block, "data"))))
	case "resource_link":
		return fmt.Sprintf("[resource %s: %s]", line("name"), line("uri"))
	case "resource":
		return resourceText(member(block, "resource"))
	default:
		return fmt.Sprintf("[content of type %q]", plain.Line(kind, mostName))
	}
}

// resourceText is a ResourceContents.
func resourceText(resource []byte) string {
	text := plain.Line(words(member(resource, "uri")), mostMessage) + ":\n"
	if raw := member(resource, "text"); raw != nil {
		return text + plain.Text(words(raw), mostResult)
	}
	return text + fmt.Sprintf("[%s, %s]", plain.Line(words(member(resource, "mimeType")), mostName), size(words(member(resource, "blob"))))
}

// size is how many bytes a base64 text holds.
func size(data string) string {
	return fmt.Sprintf("%d bytes", base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(data, "="))))
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
