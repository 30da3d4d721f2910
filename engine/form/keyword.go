package form

// keyword is the index of a JSON Schema keyword's name in keywordNames.
type keyword int

// They are read in this order: what stands nearer to a property goes before what
// it refers to.
const (
	kwType keyword = iota
	kwTitle
	kwDescription
	kwDefault
	kwConst
	kwEnum
	kwEnumNames
	kwFormat
	kwMinLength
	kwMaxLength
	kwMinItems
	kwMaxItems
	kwMinimum
	kwMaximum
	kwExclusiveMinimum
	kwExclusiveMaximum
	kwMultipleOf
	kwUniqueItems
	kwNullable
	kwReadOnly
	kwWriteOnly
	kwDeprecated
	kwExamples
	kwPrefixItems
	kwItems
	kwProperties
	kwRequired
	kwPattern
	kwContentEncoding
	kwContentMediaType
	kwContentSchema
	kwAdditionalProperties
	kwRef
	kwAllOf
	kwAnyOf
	kwOneOf // from here on: what could refuse an answer, and only the server checks
)

// keywordNames holds what the reader knows, then what could refuse an answer and
// is not checked. An answer that satisfies the fields satisfies unevaluated…
// whatever it says, so these are not among them. Any other name is an annotation
// (JSON Schema 2020-12 Core, section 6.5).
var keywordNames = [...]string{
	"type", "title", "description", "default", "const", "enum", "enumNames", "format", "minLength", "maxLength", "minItems", "maxItems",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "nullable", "readOnly", "writeOnly",
	"deprecated", "examples", "prefixItems", "items", "properties", "required", "pattern", "contentEncoding", "contentMediaType", "contentSchema", "additionalProperties",
	"$ref", "allOf", "anyOf", "oneOf",

	"not", "if", "$dynamicRef", "$recursiveRef", "patternProperties", "propertyNames", "minProperties",
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

	narrowing words = 1<<kwFormat | 1<<kwMinLength | 1<<kwMaxLength | 1<<kwMinItems | 1<<kwMaxItems | 1<<kwMinimum | 1<<kwMaximum |
		1<<kwExclusiveMinimum | 1<<kwExclusiveMaximum | 1<<kwMultipleOf | 1<<kwUniqueItems | 1<<kwItems

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
