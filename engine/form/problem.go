package form

import (
	"github.com/parley-mcp/parley/rawjson"
)

// Code classifies problems. Values may cross the wasm boundary: append only,
// never renumber.
type Code int32

const (
	// Of a schema or of an answer.
	Malformed Code = 1 // not the JSON it has to be

	// Of a schema.
	Unsupported   Code = 2 // outside the subset
	Contradictory Code = 3 // what JSON Schema forbids, or no answer could satisfy
	OverLimit     Code = 4 // more than [MaxFields], [MaxOptions] or [MaxName]

	// Of an answer.
	Missing     Code = 5  // a required property is not there
	Unknown     Code = 6  // the schema has no such property
	Repeated    Code = 7  // the property is there more than once
	WrongKind   Code = 8  // not of the field's kind
	NotText     Code = 9  // a string that is not Unicode text
	TooShort    Code = 10 // MinLength
	TooLong     Code = 11 // MaxLength
	TooSmall    Code = 12 // Minimum
	TooLarge    Code = 13 // Maximum
	BadExponent Code = 14 // a number with an exponent beyond 99999999
	BadFormat   Code = 15 // Format
	NoChoice    Code = 16 // none of Options
	ChosenTwice Code = 17 // the same choice again
	TooFew      Code = 18 // MinItems
	TooMany     Code = 19 // MaxItems
)

// Problem says what is wrong with one property of a schema or of an answer.
type Problem struct {
	Property string // its name; "" also where the fault is in no one property
	Code     Code
	// Message goes on after the property's title: "must be at least 3
	// characters". Where there is no property it is a sentence of its own. It
	// never contains what somebody answered.
	Message string
}

// Error implements error: "\"name\" must be at least 3 characters".
func (p *Problem) Error() string {
	if p.Property == "" {
		return p.Message
	}
	return string(rawjson.AppendQuoted(nil, p.Property)) + " " + p.Message
}

// problem is what a person is told about an answer; nil for code 0.
func (f *Field) problem(code Code) *Problem {
	if code == 0 {
		return nil
	}
	return &Problem{f.Name, code, f.message(code)}
}

// messages are what is told of each code, or how that begins.
var messages = [...]string{
	Malformed:   "must be a JSON value",
	Missing:     "must be filled in",
	Repeated:    "is there more than once",
	WrongKind:   "cannot be answered",
	NotText:     "must not have broken characters",
	TooShort:    "must be at least ",
	TooLong:     "must be at most ",
	TooSmall:    "must be at least ",
	TooLarge:    "must be at most ",
	BadExponent: "must be a number with a shorter exponent",
	BadFormat:   "must be ",
	ChosenTwice: "must not have a choice twice",
	TooFew:      "must be at least ",
	TooMany:     "must be at most ",
}

// kindMessages are what is told where a value is not of the field's kind.
var kindMessages = [...]string{
	String:  "must be text",
	Number:  "must be a number like 42 or 2.5",
	Integer: "must be a whole number like 42",
	Boolean: "must be yes or no",
	Choice:  "must be one of the choices",
	Choices: "must be some of the choices",
}

func (f *Field) message(code Code) string {
	s, n, thing := messages[code], 0, "character"
	switch code {
	case WrongKind, NoChoice:
		if int(f.Kind) < len(kindMessages) {
			s = kindMessages[f.Kind]
		}
		return s
	case TooShort:
		n = f.MinLength
	case TooLong:
		n = f.MaxLength
	case TooFew:
		n, thing = f.MinItems, "choice"
	case TooMany:
		n, thing = f.MaxItems, "choice"
	case TooSmall:
		return s + short(f.Minimum)
	case TooLarge:
		return s + short(f.Maximum)
	case BadFormat:
		return s + formats[max(f.Format.index(), 0)+1]
	default:
		return s
	}
	s += rawjson.Itoa(n) + " " + thing
	if n != 1 {
		s += "s"
	}
	return s
}

// short keeps a message readable even where the server's number is not.
func short(number string) string {
	if len(number) > 40 {
		return "what was asked for"
	}
	return number
}
