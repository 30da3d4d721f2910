package form

import (
	"unicode"
	"unicode/utf8"

	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Prompt is one thing to ask of a person who answers line by line. Its texts are
// as the server sent them; [Prompt.String] makes them fit for a terminal.
type Prompt struct {
	Message string        // what the server asks, and fields that are only shown; with the first prompt only
	Field   *Field        // what to fill in; nil asks whether to send it all, yes or no
	Taken   int           // of a List: how many values were typed before; no text ends it
	Problem sentence.Text // what is wrong with what was typed last, "" the first time: it goes on after the title
}

// Ask puts a form to a person, prompt by prompt, each until what was typed fits
// ([Field.Parse]), and returns the ElicitResult. params are those of the
// elicitation, as JSON text. No text takes a field's default where it has one. A
// List has a prompt for each value, a Union has one for the type before.
// The last prompt is whether to send the answer: with yes the result is of the
// action accept, with no of decline. Where ask is not ok, as at the end of the
// input, nothing more is asked and it is cancel.
//
// Ask fails with a [Problem] if the form cannot be asked, which the engine has
// seen to before it asks anybody.
func Ask(params []byte, ask func(Prompt) (typed string, ok bool)) (result []byte, err error) {
	params, bad := rawjson.Value(params) // without white space around it
	if bad != nil || !rawjson.IsObject(params) {
		return nil, &Problem{Code: Malformed, Message: "the params are not a JSON object"}
	}
	schema, problem := Parse(rawjson.Member(params, "requestedSchema"))
	if problem != nil {
		return nil, problem
	}
	message, _ := rawjson.Unquote(rawjson.Member(params, "message"))
	for i := range schema.Fields {
		if f := &schema.Fields[i]; f.ReadOnly {
			message += "\n" + f.Title + ": " + f.typed([]byte(f.Default))
		}
	}
	var j rawjson.Writer
	j.Put(`{"action":"accept","content":{`)
	for i := 0; i <= len(schema.Fields); i++ {
		p := Prompt{Message: message}
		if i < len(schema.Fields) {
			p.Field = &schema.Fields[i]
			if p.Field.ReadOnly {
				continue
			}
		}
		message = ""
		value, ok := p.value(ask)
		switch {
		case !ok:
			return []byte(`{"action":"cancel"}`), nil
		case p.Field == nil && string(value) == "false":
			return []byte(`{"action":"decline"}`), nil
		case p.Field == nil || value == nil: // sent, or left out
			continue
		}
		j.Comma()
		j.Quoted(p.Field.Name)
		j.Put(":")
		j.Raw(value)
	}
	j.Put("}}")
	return j.Dst, nil
}

// field is what the prompt asks for, of the last one a field of its own.
func (p Prompt) field() *Field {
	if p.Field == nil {
		return &Field{Title: "Send this", Kind: Boolean, Required: true}
	}
	return p.Field
}

// value asks until what was typed fits.
func (p Prompt) value(ask func(Prompt) (string, bool)) (value []byte, ok bool) {
	f := p.field()
	whole := f
	for {
		var problem *Problem
		switch f.Kind {
		case List:
			value, problem, ok = p.list(f, ask)
		case Union:
			pick := f.kinds()
			p.Field = &pick
			typed, more := ask(p)
			if ok = more; typed == "" && f.Default != "" {
				value, problem = []byte(f.Default), nil
			} else if value, problem = pick.Parse(typed); ok && typed != "" && problem == nil {
				f = &f.Alternatives[value[1]-'a'] // a letter in quotes
				p.Field, p.Message, p.Problem = f, "", ""
				continue
			}
		default:
			value, problem, ok = p.once(ask)
		}
		if problem == nil && ok && value != nil {
			problem = whole.Check(value)
		}
		p.Message = ""
		if !ok || problem == nil {
			return value, ok
		}
		p.Problem = problem.Message
	}
}

// once asks for one value of the prompt's field.
func (p *Prompt) once(ask func(Prompt) (string, bool)) (value []byte, problem *Problem, ok bool) {
	f := p.field()
	typed, ok := ask(*p)
	if typed == "" && f.Default != "" {
		return []byte(f.Default), nil, ok
	}
	value, problem = f.Parse(typed)
	return value, problem, ok
}

// list asks for values, one a line, until an empty line.
func (p *Prompt) list(f *Field, ask func(Prompt) (string, bool)) (value []byte, problem *Problem, ok bool) {
	text := ""
	for p.Taken = 0; ; {
		typed, ok := ask(*p)
		switch {
		case !ok:
			return nil, nil, false
		case typed == "" && text == "" && f.Default != "":
			return []byte(f.Default), nil, true
		case typed == "":
			value, problem = f.Parse(text)
			return value, problem, true
		}
		p.Message, p.Problem = "", ""
		one := Field{Name: f.Name, Kind: List, Items: f.Items}
		if _, problem := one.Parse(typed); problem != nil {
			p.Problem = problem.Message
			continue
		}
		text += typed + "\n"
		p.Taken++
	}
}

// kindWords are what a person picks a type by.
var kindWords = [...]string{
	String: "text", Number: "a number", Integer: "a whole number", Boolean: "yes or no",
	Choice: "one of some choices", Choices: "some of some choices", List: "a list of values",
}

// kinds is the choice of a type: its values are letters.
func (f *Field) kinds() Field {
	pick := Field{Name: f.Name, Title: f.Title, Description: f.Description, Kind: Choice, Required: f.Required, Nullable: f.Nullable, Default: f.Default}
	for i := range f.Alternatives {
		one := &f.Alternatives[i]
		words := kindWords[one.Kind]
		if one.Format != "" {
			words = string(one.Format)
		}
		if one.Title != f.Title {
			words = one.Title + ", " + words
		}
		pick.Options = append(pick.Options, Option{`"` + string(rune('a'+i)) + `"`, words})
	}
	return pick
}

// String is the prompt as plain text: the message behind bars, which no line of
// a server can pass for one of the host's without, then the choices, and at the
// end what to type. Characters that a terminal would obey become U+FFFD.
func (p Prompt) String() string {
	f := p.field()
	title := shown(f.Title, "")
	text := ""
	if p.Message != "" {
		text = "| " + shown(p.Message, "\n| ") + "\n"
	}
	if p.Problem != "" {
		text += "  " + title + " " + shown(p.Problem.String(), "") + ".\n"
	} else {
		if f.Description != "" {
			text += "| " + shown(f.Description, "\n| ") + "\n"
		}
		for _, o := range f.Options {
			text += "  - " + shown(o.Title, "")
			if value := o.text(); value != o.Title && o.Value != o.Title {
				text += " (" + shown(value, "") + ")"
			}
			text += "\n"
		}
	}
	text += title
	switch f.Kind {
	case Boolean:
		text += " (yes or no)"
	case Choices:
		text += " (with commas between)"
	case List:
		if text += " (one a line, an empty line ends)"; p.Taken > 0 {
			text = shown(f.Title, "") + ", one more"
		}
	}
	if f.Default != "" && p.Taken == 0 {
		text += " [" + shown(f.typed([]byte(f.Default)), "") + "]"
	}
	return text + ": "
}

// typed is what a person would type for a value.
func (f *Field) typed(value []byte) string {
	switch f.Kind {
	case Boolean:
		if string(value) == "true" {
			return "yes"
		}
		return "no"
	case Choices, List:
		text := ""
		var e rawjson.Elements
		for e.Start(value); e.Next(); {
			if text != "" {
				text += ", "
			}
			text += f.titleOf(e.Value)
		}
		return text
	}
	return f.titleOf(value)
}

// titleOf is the title of a choice, or what the value says if it is none.
func (f *Field) titleOf(value []byte) string {
	if i := f.option(value); i >= 0 {
		return f.Options[i].Title
	}
	o := Option{Value: string(value)}
	return o.text()
}

// shown is text of a server without what a terminal would obey, such as escape
// sequences; lineBreak stands for its line breaks, "" for none.
func shown(text, lineBreak string) string {
	plain := make([]byte, 0, len(text))
	for _, r := range text {
		switch {
		case r == '\n' && lineBreak != "":
			plain = append(plain, lineBreak...)
		case unicode.IsGraphic(r):
			plain = utf8.AppendRune(plain, r)
		default:
			plain = utf8.AppendRune(plain, utf8.RuneError)
		}
	}
	return string(plain)
}
