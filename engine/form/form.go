// Package form is the subset of JSON Schema that an elicitation may ask with:
// MCP 2026-07-28, client/elicitation, Requested Schema. [Parse] takes a
// requestedSchema apart into the fields of a form, [Field.Parse] turns what a
// person typed into a JSON value, [Schema.Check] says what is wrong with an
// answer before it leaves.
//
// [Ask] does all of that for a host that reads line by line.
//
//	schema, problem := form.Parse(requestedSchema) // before anybody is asked
//	value, problem := schema.Fields[0].Parse("42") // while somebody types
//	problems := schema.Check(content)              // before the answer is sent
//
// A schema means here what it means in JSON Schema 2020-12, with five additions
// that protect the person who answers and the server that waits: properties
// that were not asked for are refused, so are properties given twice, choices
// chosen twice and text that is not Unicode, and a format is checked.
package form

// Bounds of a form.
const (
	maxFields  = 128  // properties
	maxOptions = 1024 // choices of one property; twice as many of all together
	maxName    = 256  // bytes of a property's name
)

// Schema is a requestedSchema. The zero Schema asks for nothing but consent,
// which servers use to have something confirmed.
type Schema struct {
	Fields []Field // in the order of the schema's text
}

// Field is one property of a schema. Strings are as the server sent them; a
// host that shows them decides what to do about control characters and length.
type Field struct {
	Name        string
	Title       string // what to call the field; Name where the server gave none
	Description string
	Kind        Kind
	Required    bool // the property must be in the answer

	Format               Format   // of a String
	MinLength, MaxLength int      // of a String, in Unicode code points; 0 is none
	Minimum, Maximum     string   // of a Number or Integer, as JSON text; "" is none
	Options              []Option // of a Choice or Choices, at least one
	MinItems, MaxItems   int      // of Choices; 0 is none

	// Default is the value to start from, as JSON text; "" is none. It is a
	// valid answer: a default that breaks its own schema could never be sent,
	// so Parse leaves it out.
	Default string
}

// Option is one choice.
type Option struct {
	Value string // what is sent
	Title string // what is shown; Value where the server gave no title
}

// Kind says what a field takes. Values are append-only.
type Kind uint8

const (
	String  Kind = 1 // any text
	Number  Kind = 2 // a JSON number
	Integer Kind = 3 // a JSON number without a fraction; 1.0 and 1e3 are
	Boolean Kind = 4 // true or false
	Choice  Kind = 5 // one of Options
	Choices Kind = 6 // some of Options, each at most once
)

// kindObject is the type of a whole schema.
const kindObject Kind = 7

// kindNames are the types that make a kind. A string with a list of choices
// becomes a Choice.
var kindNames = [...]string{
	String: "string", Number: "number", Integer: "integer", Boolean: "boolean", Choices: "array", kindObject: "object",
}

// Format restricts the text of a String.
type Format string

const (
	Email    Format = "email"     // an address as in an HTML form, without adjacent, leading or trailing dots
	URI      Format = "uri"       // RFC 3986 with a scheme, http and https also with a host
	Date     Format = "date"      // RFC 3339 full-date
	DateTime Format = "date-time" // RFC 3339 date-time
)
