package gosdk

const (
	boundAdvice   = "it must be a number, go with the type and leave something to answer"
	choicesAdvice = "choices are one list of texts, each there once, with nothing but titles beside them"
	typesAdvice   = "a field has one type, or choices; " + choicesAdvice
	textAdvice    = "it must be text"
	secretAdvice  = "a form must not ask for a secret; have the person open a page, with a url"
)

// adviceFor says what to do about a keyword that cannot be there.
func adviceFor(keyword string) string {
	switch keyword {
	case "$ref":
		return "it must lead to the $defs of the same schema, and to nothing that differs from what is beside it"
	case "type":
		return "a form is an object, and each field a string, a number, an integer, a boolean or an array of choices"
	case "properties":
		return "it must be an object of at most 128 fields"
	case "required":
		return "it must list fields of the form, each once"
	case "items":
		return "only choices can be listed; give the items an enum of texts"
	case "default":
		return "it must be an answer to the field; leave it out beside null"
	case "format":
		return "it must be email, uri, date or date-time"
	case "writeOnly":
		return secretAdvice
	case "exclusiveMinimum":
		return "use minimum"
	case "exclusiveMaximum":
		return "use maximum"
	case "const", "enum":
		return choicesAdvice
	case "anyOf", "oneOf":
		return typesAdvice
	case "enumNames":
		return "it must be a list of texts, one for each choice of an enum"
	case "title", "description", "$schema":
		return textAdvice
	case "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum":
		return boundAdvice
	}
	return "leave it out, and say in the description what is needed"
}
