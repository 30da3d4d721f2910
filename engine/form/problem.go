package form

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Code classifies problems, for hosts with words of their own for them.
type Code int32

const (
	// Of a schema or of an answer.
	Malformed Code = 1 // not the JSON it has to be

	// Of a schema.
	Unsupported Code = 2  // it would mislead, cannot be drawn, or is more than anybody could answer
	Secret      Code = 18 // it asks for a secret, which a form must not

	// Of an answer.
	Missing     Code = 3  // a required property is not there
	Unknown     Code = 4  // the schema has no such property
	Repeated    Code = 5  // the property is there more than once
	WrongKind   Code = 6  // not of the field's kind
	NotText     Code = 7  // a string that is not Unicode text
	TooShort    Code = 8  // MinLength
	TooLong     Code = 9  // MaxLength
	TooSmall    Code = 10 // Minimum
	TooLarge    Code = 11 // Maximum
	BadExponent Code = 12 // a number with an exponent beyond 99999999, or too many digits for MultipleOf
	BadFormat   Code = 13 // Format
	NoChoice    Code = 14 // none of Options
	ChosenTwice Code = 15 // the same choice again
	TooFew      Code = 16 // MinItems
	TooMany     Code = 17 // MaxItems
	NotAbove    Code = 19 // ExclusiveMinimum
	NotBelow    Code = 20 // ExclusiveMaximum
	NotMultiple Code = 21 // MultipleOf
	BadValue    Code = 22 // a value of a List is not of the kind of Items; what else is wrong with one has its own code
	Repetition  Code = 23 // UniqueItems
	Ambiguous   Code = 24 // fits two of Alternatives where it must fit one
)

// Problem says what is wrong with one property of a schema or of an answer.
type Problem struct {
	Property string // its name; "" if the fault is not in a single property
	Code     Code
	// Message continues after the property's title: "must be at least 3
	// characters". Without a property it is a sentence of its own. It never
	// contains what somebody answered.
	Message sentence.Text
}

// Error implements error: "\"name\" must be at least 3 characters".
func (p *Problem) Error() string { return p.Sentence().String() }

// Sentence is the problem as a host may translate it.
func (p *Problem) Sentence() sentence.Text {
	if p.Property == "" {
		return p.Message
	}
	return sentence.Say("{0} {1}", sentence.Value(string(rawjson.AppendQuoted(nil, p.Property))), p.Message)
}

// problem is what a person is told about an answer; nil for code 0.
func (f *Field) problem(code Code) *Problem {
	if code == 0 {
		return nil
	}
	return &Problem{f.Name, code, f.message(code)}
}

// messages are what is told of each code: a template for its bound, where it
// has one.
var messages = [...]sentence.Text{
	Malformed:   "must be a JSON value",
	Missing:     "must be filled in",
	Repeated:    "is there more than once",
	WrongKind:   "cannot be answered",
	NotText:     "must not have broken characters",
	TooShort:    "must be at least {0} characters",
	TooLong:     "must be at most {0} characters",
	TooSmall:    "must be at least {0}",
	TooLarge:    "must be at most {0}",
	BadExponent: "must be a number with fewer digits or a shorter exponent",
	ChosenTwice: "must not have a choice twice",
	TooFew:      "must be at least {0} choices",
	TooMany:     "must be at most {0} choices",
	NotAbove:    "must be more than {0}",
	NotBelow:    "must be less than {0}",
	NotMultiple: "must be a multiple of {0}",
	Repetition:  "must not have a value twice",
	Ambiguous:   "must fit only one of the types",
}

// one are the messages whose bound is 1.
var one = [...]sentence.Text{
	TooShort: "must be at least 1 character",
	TooLong:  "must be at most 1 character",
	TooFew:   "must be at least 1 choice",
	TooMany:  "must be at most 1 choice",
}

// listMessages are the messages of a List, of many values and of one.
var listMessages = [...][2]sentence.Text{
	{"must be at least {0} values", "must be at least 1 value"},
	{"must be at most {0} values", "must be at most 1 value"},
}

// kindMessages are what is told where a value is not of the field's kind.
var kindMessages = [...]sentence.Text{
	String:  "must be text",
	Number:  "must be a number like 42 or 2.5",
	Integer: "must be a whole number like 42",
	Boolean: "must be yes or no",
	Choice:  "must be one of the choices",
	Choices: "must be some of the choices",
	List:    "must be a list of values",
	Union:   "must be a value of one of the types",
}

func (f *Field) message(code Code) sentence.Text {
	if message, ok := f.ofValues(code); ok {
		return message
	}
	n := 0
	switch code {
	case WrongKind, NoChoice:
		if int(f.Kind) < len(kindMessages) {
			return kindMessages[f.Kind]
		}
	case TooShort:
		n = f.MinLength
	case TooLong:
		n = f.MaxLength
	case TooFew:
		n = f.MinItems
	case TooMany:
		n = f.MaxItems
	case TooSmall:
		return bound(messages[code], f.Minimum)
	case TooLarge:
		return bound(messages[code], f.Maximum)
	case NotAbove:
		return bound(messages[code], f.ExclusiveMinimum)
	case NotBelow:
		return bound(messages[code], f.ExclusiveMaximum)
	case NotMultiple:
		return bound(messages[code], f.MultipleOf)
	case BadFormat:
		return formatMessages[max(f.Format.index(), 0)]
	}
	if f.Kind == List && n > 0 {
		if n == 1 {
			return listMessages[code-TooFew][1]
		}
		return bound(listMessages[code-TooFew][0], rawjson.Itoa(n))
	}
	switch n {
	case 0:
		return messages[code]
	case 1:
		return one[code]
	}
	return bound(messages[code], rawjson.Itoa(n))
}

// ofValues is the message if the fault is in a value of a List.
func (f *Field) ofValues(code Code) (message sentence.Text, ok bool) {
	if f.Kind != List || f.Items == nil {
		return "", false
	}
	switch code {
	case BadValue:
		code = WrongKind
	case NotText, TooShort, TooLong, TooSmall, TooLarge, BadExponent, BadFormat, NotAbove, NotBelow, NotMultiple:
	default:
		return "", false
	}
	return sentence.Say("must have values that fit: each {0}", f.Items.message(code)), true
}

// bound keeps a message readable even where the server's number is not.
func bound(message sentence.Text, number string) sentence.Text {
	if len(number) > 40 {
		return sentence.Say(message, "what was asked for")
	}
	return sentence.About(message, number)
}
