package main

import (
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// schema is what of a field's JSON schema this program shows.
type schema struct {
	Type, Title string
	Enum        []string
	OneOf       []struct{ Const string }
	Items       struct {
		Enum  []string
		AnyOf []struct{ Const string }
	}
}

// elicit asks for a form, a line for each field. The input's end parks the call.
func elicit(url string, ask object) object {
	if ask["mode"] != "form" {
		return object{"type": "refuse", "reason": "this program shows forms only"}
	}
	var params struct {
		Message         string
		RequestedSchema struct{ Properties map[string]schema }
	}
	must(0, json.Unmarshal([]byte(ask["params"].(string)), &params))
	fmt.Printf("\n%s asks: %s\n", url, shown(params.Message))
	if problem, ok := ask["problem"].(string); ok {
		fmt.Println("That could not be sent: " + shown(problem))
	}
	content := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(params.RequestedSchema.Properties)) {
		field := params.RequestedSchema.Properties[name]
		text, end := line(shown(name) + shown(field.choices()))
		if end != nil {
			return end
		}
		if text != "" {
			content[name] = field.value(text)
		}
	}
	if len(params.RequestedSchema.Properties) == 0 { // only consent is asked for
		if _, end := line("Enter agrees"); end != nil {
			return end
		}
	}
	return object{"type": "answer", "raw": `{"action":"accept","content":` + string(must(json.Marshal(content))) + `}`, "fill": true}
}

// line asks for one line, or returns how the question ends.
func line(prompt string) (text string, end object) {
	fmt.Print("  " + prompt + ": ")
	text = "/park"
	if typed.Scan() {
		text = strings.TrimSpace(typed.Text())
	}
	switch text {
	case "/park":
		return "", object{"type": "park"}
	case "/decline":
		return "", object{"type": "answer", "raw": `{"action":"decline"}`}
	}
	return text, nil
}

func (s schema) choices() string {
	all := append(s.Enum, s.Items.Enum...)
	for _, one := range append(s.OneOf, s.Items.AnyOf...) {
		all = append(all, one.Const)
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// value is what was typed as JSON; the engine checks it.
func (s schema) value(text string) json.RawMessage {
	var value any = text
	switch {
	case s.Type == "boolean":
		value = slices.Contains([]string{"y", "yes", "true"}, strings.ToLower(text))
	case s.Type == "array":
		value = strings.Split(strings.ReplaceAll(text, ", ", ","), ",")
	case s.Type != "string" && json.Valid([]byte(text)):
		return json.RawMessage(text)
	}
	return must(json.Marshal(value))
}

// shown is text of the server, with what a terminal would obey made visible.
func shown(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u{%x}", r)
		}
	}
	return b.String()
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
