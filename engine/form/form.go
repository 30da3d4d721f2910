// Package form reads the forms that servers ask with, and checks what people
// answer: MCP 2026-07-28, client/elicitation, Requested Schema. [Parse] takes a
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
// Parse takes more than the specification's subset of JSON Schema, because the
// SDKs that servers are written with make more. It refuses what would mislead
// the person, what asks for a secret and what cannot be drawn. What can be
// checked exactly is checked; keywords that are not checked are in Unchecked,
// and the server checks them. [ParseStrict] takes the subset only.
//
// A schema means here what it means in JSON Schema 2020-12, with five additions
// that protect the person who answers and the server that waits: properties
// that were not asked for are refused, so are properties given twice, choices
// chosen twice and text that is not Unicode, and a format is checked.
package form

// Bounds of a form.
const (
	maxFields       = 128  // properties
	maxOptions      = 1024 // choices of one property, and values of one list; twice as many choices of all properties together
	maxName         = 256  // bytes of a property's name
	maxAlternatives = 16   // types of one property
	maxNesting      = 16   // $ref, anyOf, oneOf, allOf and items on the way to a keyword
	maxExamples     = 3    // examples that are kept of a property
	maxUnchecked    = 8    // keywords that are named of a property
)

// Schema is a requestedSchema. The zero Schema asks for nothing but consent,
// which servers use to have something confirmed.
type Schema struct {
	Fields    []Field     // in the order of the schema's text
	Unchecked []Unchecked // what only the server checks of the whole answer
}

// Field is one property of a schema. Strings are as the server sent them; a
// host that shows them decides what to do about control characters and length.
type Field struct {
	Name        string
	Title       string // what to call the field; Name if the server gave none
	Description string
	Kind        Kind
	Required    bool // the property must be in the answer
	Nullable    bool // null is an answer, too
	ReadOnly    bool // shown, and neither asked for nor sent; never with Required
	Deprecated  bool

	Format               Format   // of a String
	MinLength, MaxLength int      // of a String, in Unicode code points; 0 is none
	Options              []Option // of a Choice or Choices, at least one
	Items                *Field   // of a List: what each value is, a String, Number or Integer
	MinItems, MaxItems   int      // of Choices or a List; 0 is none
	UniqueItems          bool     // of a List: no value is in it twice
	Alternatives         []Field  // of a Union: the types that the person picks one of, at least two; their Title is the union's if they have none

	// Of a Number or Integer, as JSON text; "" is none.
	Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum, MultipleOf string

	// Default is the value to start from, as JSON text; "" is none. It is a
	// valid answer other than null: a default that breaks its own schema could
	// never be sent, so Parse leaves it out.
	Default string

	Examples  []string    // of an answer, as JSON text: 3 at most
	Unchecked []Unchecked // what only the server checks of the value

	exclusive bool // of a Union: a value of two alternatives is refused (oneOf)
}

// Unchecked is a keyword that could refuse an answer and that only the server
// checks.
type Unchecked struct {
	Keyword string
	Value   string // of pattern, format, contentEncoding and contentMediaType: the server's text; "" of others
}

// Option is one choice.
type Option struct {
	Value string // what is sent: the JSON text of a string, a number, true or false
	Title string // what is shown; the text of Value if the server gave no title
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
	List    Kind = 7 // values of Items
	Union   Kind = 8 // a value of one of Alternatives, which the person picks before
)

// Format restricts the text of a String.
type Format string

const (
	Email    Format = "email"     // an address as in an HTML form, without adjacent, leading or trailing dots
	URI      Format = "uri"       // RFC 3986 with a scheme, http and https also with a host
	Date     Format = "date"      // RFC 3339 full-date
	DateTime Format = "date-time" // RFC 3339 date-time
)
