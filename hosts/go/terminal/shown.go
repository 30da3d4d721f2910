package terminal

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/parley-mcp/parley/engine/form"
)

// Shown is text of a server without what a terminal would obey, such as escape
// sequences, and on lines that cannot pass for the program's own.
func Shown(text string) string {
	return strings.ReplaceAll(plain(text), "\n", "\n| ")
}

func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// maxQuoted is the most characters of a server's text in a hint.
const maxQuoted = 40

// quoted is text of a server on a line, in quotes that it cannot end.
func quoted(text string) string {
	text = strings.NewReplacer("“", "'", "”", "'", `"`, `\"`, "\n", " ").Replace(plain(text))
	if r := []rune(text); len(r) > maxQuoted {
		text = string(r[:maxQuoted]) + "…"
	}
	return "“" + text + "”"
}

var wished = map[string]string{"pattern": "the pattern ", "format": "the format ", "contentEncoding": "the encoding ", "contentMediaType": "the type "}

// hints are what there is to know of a field that Parley cannot check. What is
// the server's in there comes last, in quotes.
func hints(f *form.Field) string {
	var hints []string
	if f.Deprecated {
		hints = append(hints, "deprecated")
	}
	if more := unchecked(f.Unchecked); more != "" {
		hints = append(hints, more)
	}
	for i, example := range f.Examples {
		such := quoted(typeable(example))
		if i == 0 {
			such = "such as " + such
		}
		hints = append(hints, such)
	}
	for _, u := range f.Unchecked {
		// A format that Parley knows says it better.
		if u.Value != "" && f.Format == "" && (f.Items == nil || f.Items.Format == "") {
			hints = append(hints, wished[u.Keyword]+quoted(u.Value))
		}
	}
	return strings.Join(hints, ", ")
}

// unchecked names what only the server checks.
func unchecked(list []form.Unchecked) string {
	var names []string
	for _, u := range list {
		if u.Value == "" && !slices.Contains(names, u.Keyword) {
			names = append(names, u.Keyword)
		}
	}
	if names == nil {
		return ""
	}
	return "the server checks more: " + strings.Join(names, ", ")
}

// choices are the options of a field as a person types them, with the title behind
// where that is another. Those that look alike are shown as JSON, which can be typed
// as well.
func choices(f *form.Field) []string {
	var list, taken []string
	for _, o := range f.Options {
		text := typeable(o.Value)
		isText, untitled := strings.HasPrefix(o.Value, `"`), o.Title == o.Value || o.Title == text
		if isText && o.Title == o.Value || !isText && !untitled || slices.Contains(taken, text) {
			text = o.Value
		}
		taken = append(taken, text)
		if !untitled {
			text += ": " + o.Title
		}
		list = append(list, text)
	}
	return list
}

// typeable is what a person would type for a value, which is JSON text.
func typeable(value string) string {
	var text string
	var list []json.RawMessage
	switch {
	case json.Unmarshal([]byte(value), &text) == nil:
		return text
	case json.Unmarshal([]byte(value), &list) == nil:
		var texts []string
		for _, one := range list {
			texts = append(texts, typeable(string(one)))
		}
		return strings.Join(texts, ", ")
	case value == "true":
		return "yes"
	case value == "false":
		return "no"
	}
	return value
}
