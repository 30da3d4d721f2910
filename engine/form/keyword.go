package form

// keyword is the index of a JSON Schema keyword's name in keywordNames.
type keyword int

const (
	kwType keyword = iota
	kwTitle
	kwDescription
	kwDefault
	kwConst
	kwEnum
	kwEnumNames
	kwOneOf
	kwAnyOf
	kwItems
	kwFormat
	kwMinLength
	kwMaxLength
	kwMinimum
	kwMaximum
	kwMinItems
	kwMaxItems
	kwProperties
	kwRequired // up to here: the subset of the specification
	kwExclusiveMinimum
	kwExclusiveMaximum
	kwMultipleOf
	kwUniqueItems
	kwRef
	kwAllOf
	kwNullable
	kwReadOnly
	kwWriteOnly
	kwDeprecated
	kwExamples
	kwPrefixItems
	kwAdditionalProperties
	kwPattern // from here on: what only the server checks; the text of the first two is shown
	kwContentEncoding
)

// keywordNames holds what the reader knows, then what could refuse an answer and
// is not checked. An answer that satisfies the fields satisfies unevaluated…
// whatever it says, so these are not among them. Any other name is an annotation
// (JSON Schema 2020-12 Core, section 6.5).
var keywordNames = [...]string{
	"type", "title", "description", "default", "const", "enum", "enumNames", "oneOf", "anyOf", "items", "format",
	"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "properties", "required",

	"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "$ref", "allOf", "nullable", "readOnly", "writeOnly",
	"deprecated", "examples", "prefixItems", "additionalProperties",

	"pattern", "contentEncoding", "not", "if", "$dynamicRef", "$recursiveRef", "patternProperties", "propertyNames", "minProperties",
	"maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "contains",
}

// words is a set of keywords.
type words uint64

// Where the specification allows which keywords (client/elicitation, Requested
// Schema).
const (
	inAny      words = 1<<kwType | 1<<kwTitle | 1<<kwDescription | 1<<kwDefault
	inSchema         = inAny | 1<<kwProperties | 1<<kwRequired
	inString         = inAny | 1<<kwFormat | 1<<kwMinLength | 1<<kwMaxLength
	inNumber         = inAny | 1<<kwMinimum | 1<<kwMaximum
	inChoice         = inAny | aList | 1<<kwEnumNames
	inChoices        = inAny | 1<<kwItems | 1<<kwMinItems | 1<<kwMaxItems
	inProperty       = inString | inNumber | inChoice | inChoices
	inItems          = inAny | aList
	inOption         = 1<<kwType | 1<<kwTitle | 1<<kwDescription | 1<<kwConst
	aList      words = 1<<kwEnum | 1<<kwOneOf | 1<<kwAnyOf

	annotations words = 1<<kwReadOnly | 1<<kwDeprecated | 1<<kwExamples | 1<<kwUniqueItems | 1<<kwAdditionalProperties
)

// lookup is the keyword with the name that a token stands for, or -1.
func lookup(token []byte) keyword {
	if name, ok := unescaped(token); ok {
		for word := range keyword(len(keywordNames)) {
			if same(name, keywordNames[word]) {
				return word
			}
		}
	}
	return -1
}
