package form

import (
	"unicode"
	"unicode/utf8"

	"github.com/parley-mcp/parley/internal/writer"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Prompt is one thing to ask of a person who answers line by line. Its texts are
// as the server sent them; [Prompt.String] makes them fit for a terminal.
type Prompt struct {
	Message string        // what the server asks; with the first prompt only
	Field   *Field        // what to fill in; nil asks whether to send it all, yes or no
	Problem sentence.Text // what is wrong with what was typed last, "" the first time: it goes on after the title
}

// Ask puts a form to a person, prompt by prompt, each until what was typed fits
// ([Field.Parse]), and returns the ElicitResult. params are those of the
// elicitation, as JSON text. No text takes a field's default where it has one.
// The last prompt is whether to send the answer: with yes the result is of the
// action accept, with no of decline. Where ask is not ok, as at the end of the
// input, nothing more is asked and it is cancel.
//
// Ask fails with a [Problem] if the form cannot be asked, which the engine has
// seen to before it asks anybody.
func Ask(params []byte, ask func(Prompt) (typed string, ok bool)) (result []byte, err error) {
	params, _ = rawjson.Value(params) // without white space around it; what is wrong, Parse says
	schema, problem := Parse(rawjson.Member(params, "requestedSchema"))
	if problem != nil {
		return nil, problem
	}
	message, _ := rawjson.Unquote(rawjson.Member(params, "message"))
	var j writer.JSON
	j.Put(`{"action":"accept","content":{`)
	for i := 0; i <= len(schema.Fields); i++ {
		p := Prompt{Message: message}
		if i < len(schema.Fields) {
			p.Field = &schema.Fields[i]
		}
		message = ""
		value, ok := p.answer(ask)
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

// answer asks until what was typed fits.
func (p Prompt) answer(ask func(Prompt) (string, bool)) (value []byte, ok bool) {
	f := p.field()
	for {
		typed, ok := ask(p)
		if !ok {
			return nil, false
		}
		if typed == "" && f.Default != "" {
			return []byte(f.Default), true
		}
		value, problem := f.Parse(typed)
		if problem == nil {
			return value, true
		}
		p.Message, p.Problem = "", problem.Message
	}
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
			if o.Value != o.Title {
				text += " (" + shown(o.Value, "") + ")"
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
	}
	if f.Default != "" {
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
	case Choices:
		text := ""
		var e rawjson.Elements
		for e.Start(value); e.Next(); {
			if text != "" {
				text += ", "
			}
			text += f.titleOf(e.Value)
		}
		return text
	case String, Choice:
		return f.titleOf(value)
	}
	return string(value)
}

// titleOf is the title of a choice, or the text where it is none.
func (f *Field) titleOf(value []byte) string {
	text, _ := rawjson.Unquote(value)
	for _, o := range f.Options {
		if o.Value == text {
			return o.Title
		}
	}
	return text
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
