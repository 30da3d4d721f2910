package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// form is what the plug-in reads of an elicitation's params, whichever way the server's SDK writes them.
type form struct {
	Schema    string
	Fields    []field
	Unchecked []note
}

type field struct {
	Name, Kind, Title, Format, Default string
	ReadOnly, Deprecated               bool
	Options                            []option
	Alternatives                       []field
	Examples                           []string
	Unchecked                          []note
}

// option is a choice; Value is JSON text.
type option struct{ Value, Title string }

// note is a keyword that only the server checks.
type note struct{ Keyword, Value string }

var kinds = map[string]string{
	"string": "text", "number": "a number", "integer": "a whole number", "boolean": "yes or no",
	"choice": "one of some choices", "choices": "some of some choices", "list": "a list",
}

// checked is what the plug-in makes of what was typed.
type checked struct {
	Value   *string
	Problem *problem
}

type problem struct{ Message string }

// fill asks for one field after the other, and returns the content as JSON text.
func (f form) fill() (content string, end object) {
	var filled []string
	for _, one := range f.Fields {
		if one.ReadOnly {
			fmt.Println("  " + shown(one.Title+": "+textOfJSON(one.Default)))
			continue
		}
		for {
			made, end := one.ask(f.Schema)
			if end != nil {
				return "", end
			}
			if made.Problem == nil {
				if made.Value != nil {
					filled = append(filled, string(must(json.Marshal(one.Name)))+":"+*made.Value)
				}
				break
			}
			fmt.Println("  " + shown(one.Title+" "+made.Problem.Message+"."))
		}
	}
	return "{" + strings.Join(filled, ",") + "}", nil
}

// ask asks for a value once.
func (f field) ask(schema string) (made checked, end object) {
	request := object{"schema": schema, "field": f.Name}
	typed, empty := []string{}, false
	if f.Kind == "union" { // the type is picked, and never guessed from the text
		var each []string
		for i, one := range f.Alternatives {
			each = append(each, fmt.Sprint(i+1, " for ", cmp.Or(one.Format, kinds[one.Kind])))
		}
		picked, end := line(shown(f.Title + ": " + strings.Join(each, ", ")))
		if end != nil {
			return made, end
		}
		n, err := strconv.Atoi(picked)
		switch {
		case picked == "":
			empty = true
		case err != nil || n < 1 || n > len(f.Alternatives):
			return checked{Problem: &problem{"must be one of the numbers"}}, nil
		default:
			request["alternative"] = n - 1
			f.Alternatives[n-1].Title, f = f.Title, f.Alternatives[n-1]
		}
	}
	for prompt := f.prompt(); !empty; prompt = shown(f.Title) + ", one more" {
		text, end := line(prompt)
		if end != nil {
			return made, end
		}
		typed = append(typed, text)
		empty = f.Kind != "list" || text == ""
	}
	request["typed"] = strings.TrimSuffix(strings.Join(typed, "\n"), "\n")
	if request["typed"] == "" && f.Default != "" {
		return checked{Value: &f.Default}, nil
	}
	must(0, json.Unmarshal(read("form_check", must(json.Marshal(request))), &made))
	return made, nil
}

// prompt is what to type, with what is known of it.
func (f field) prompt() string {
	text := f.Title
	if hints := f.hints(); len(hints) > 0 {
		text += " (" + strings.Join(hints, ", ") + ")"
	}
	if f.Default != "" {
		text += " [" + textOfJSON(f.Default) + "]"
	}
	return shown(text)
}

func (f field) hints() (hints []string) {
	if f.Deprecated {
		hints = append(hints, "no longer used")
	}
	for _, one := range f.Options {
		hints = append(hints, one.text())
	}
	ways := map[string]string{"boolean": "yes or no", "choices": "commas between", "list": "one a line, an empty line ends"}
	for _, hint := range []string{ways[f.Kind], f.Format} {
		if hint != "" {
			hints = append(hints, hint)
		}
	}
	for _, example := range f.Examples {
		hints = append(hints, "such as "+textOfJSON(example))
	}
	return append(hints, notes(f.Unchecked, f.Format != "")...)
}

// notes are what only the server checks; beside a format that Parley checks, its pattern says nothing new.
func notes(unchecked []note, known bool) (texts []string) {
	var more []string
	for _, n := range unchecked {
		switch {
		case n.Value == "":
			more = append(more, n.Keyword)
		case !known:
			runes := []rune(n.Value)
			texts = append(texts, n.Keyword+" "+strconv.Quote(string(runes[:min(len(runes), 40)])))
		}
	}
	if more != nil {
		texts = append(texts, "the server checks more: "+strings.Join(more, ", "))
	}
	return texts
}

// text is what a choice is called, and what it stands for if that says more.
func (o option) text() string {
	text := textOfJSON(o.Value)
	switch o.Title {
	case text:
	case o.Value:
		if o.Value[0] == '"' {
			return o.Title
		}
	default:
		return o.Title + " (" + text + ")"
	}
	return text
}

// textOfJSON is what JSON text says: a string without its quotes, yes and no of booleans.
func textOfJSON(value string) string {
	var text string
	switch {
	case value == "true":
		return "yes"
	case value == "false":
		return "no"
	case json.Unmarshal([]byte(value), &text) == nil:
		return text
	}
	return value
}
