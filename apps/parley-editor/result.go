package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/rawjson"
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
	structured := rawjson.Member(raw, "structuredContent")
	for _, block := range elements(rawjson.Member(raw, "content")) { // CallToolResult
		if structured == nil || !sameJSON(words(rawjson.Member(block, "text")), structured) { // tools repeat it for older clients
			add(blockText(block))
		}
	}
	if structured != nil {
		add(pretty(structured))
	}
	for _, message := range elements(rawjson.Member(raw, "messages")) { // GetPromptResult
		add(plain.Line(words(rawjson.Member(message, "role")), mostName) + ":\n" + blockText(rawjson.Member(message, "content")))
	}
	for _, one := range elements(rawjson.Member(raw, "contents")) { // ReadResourceResult
		add(resourceText(one))
	}
	if b.Len() == 0 {
		add(pretty(raw))
	}
	return b.String(), string(rawjson.Member(raw, "isError")) == "true"
}

// elements are those of an array, none where it is something else.
func elements(raw []byte) (list []json.RawMessage) {
	json.Unmarshal(raw, &list)
	return list
}

// blockText is a ContentBlock.
func blockText(block []byte) string {
	line := func(name string) string { return plain.Line(words(rawjson.Member(block, name)), mostMessage) }
	switch kind := words(rawjson.Member(block, "type")); kind {
	case "text":
		return plain.Text(words(rawjson.Member(block, "text")), mostResult)
	case "image", "audio":
		return fmt.Sprintf("[%s, %s, %s]", kind, line("mimeType"), size(words(rawjson.Member(block, "data"))))
	case "resource_link":
		return fmt.Sprintf("[resource %s: %s]", line("name"), line("uri"))
	case "resource":
		return resourceText(rawjson.Member(block, "resource"))
	default:
		return fmt.Sprintf("[content of type %q]", plain.Line(kind, mostName))
	}
}

// resourceText is a ResourceContents.
func resourceText(resource []byte) string {
	text := plain.Line(words(rawjson.Member(resource, "uri")), mostMessage) + ":\n"
	if raw := rawjson.Member(resource, "text"); raw != nil {
		return text + plain.Text(words(raw), mostResult)
	}
	return text + fmt.Sprintf("[%s, %s]", plain.Line(words(rawjson.Member(resource, "mimeType")), mostName), size(words(rawjson.Member(resource, "blob"))))
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
