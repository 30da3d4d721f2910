// Package shape holds a value against types written as schema.ts writes them,
// so that a package with rules about messages states their types as data.
package shape

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Fault is what is wrong with a value and where; the zero Fault is none.
type Fault struct {
	Path string        // of the member, with a dot before each name
	What sentence.Text // a template: {0} is the path, {1} is Of
	Of   string
}

// Schema is some types and what the notation cannot say about them.
type Schema struct {
	// Types has a line for each type, its name first, in one of two forms:
	//
	//	Root uri:string name?:string
	//	Block |type text|image
	//
	// Root is an object with these members: ? marks an optional one, and members
	// that are not named are tolerated. Block is an object of the type that its
	// member "type" names, text or image.
	//
	// A member is a string, a number or an object, or one of the strings
	// "a"|"b", or of a named type, which is written with a capital. After it,
	// [] makes it an array, and * either the type or an array of it.
	Types string

	// Rule is called with every value of a named type that has its shape, inner
	// ones first, and answers what else is wrong.
	Rule func(name string, span []byte) Fault

	// Null says that an optional member may be null, as serializers of servers write
	// what is absent.
	Null bool
}

// Check reports what is wrong with a value of a named type and where, as in
// "messages[3].content.text is missing" or "is not an object"; it is empty if
// nothing is. The value must have passed [rawjson.Strict].
func (s *Schema) Check(span []byte, name string) sentence.Text {
	if !rawjson.IsObject(span) {
		return "is not an object"
	}
	fault := s.named(span, name)
	if fault.What == "" {
		return ""
	}
	return sentence.Say(fault.What, sentence.Value(fault.Path[1:]), sentence.Value(fault.Of))
}

func (s *Schema) named(span []byte, name string) (fault Fault) {
	if !rawjson.IsObject(span) {
		return Fault{What: "{0} is not an object"}
	}
	members := s.members(name)
	if members != "" && members[0] == '|' {
		member, names := cut(members[1:], ' ')
		fault = s.union(span, member, names)
	} else {
		fault = s.object(span, members)
	}
	if fault.What == "" {
		fault = s.Rule(name, span)
	}
	return fault
}

// most is how many members a type names at most.
const most = 10

// object holds an object against the members of its type, in their order. It
// walks the object once, whatever is in it.
func (s *Schema) object(span []byte, members string) (fault Fault) {
	var values [most][]byte
	var m rawjson.Members
	for m.StartChecked(span); m.Next(); {
		for i, rest := 0, members; rest != ""; i++ {
			var word string
			word, rest = cut(rest, ' ')
			if name, _, _ := parts(word); m.Is(name) {
				values[i] = m.Value
			}
		}
	}
	for i, rest := 0, members; rest != "" && fault.What == ""; i++ {
		var word string
		word, rest = cut(rest, ' ')
		fault = s.member(values[i], word)
	}
	return fault
}

// members is what follows the name in the type's line.
func (s *Schema) members(name string) string {
	for rest := s.Types; rest != ""; {
		var line string
		line, rest = cut(rest, '\n')
		if first, members := cut(line, ' '); first == name {
			return members
		}
	}
	return ""
}

func (s *Schema) union(span []byte, member, names string) Fault {
	value := rawjson.Member(span, member)
	for rest := names; rest != ""; {
		var name string
		if name, rest = cut(rest, '|'); rawjson.Is(value, name) {
			return s.named(span, name)
		}
	}
	return Fault{"." + member, "{0} is not one of {1}", names}
}

func (s *Schema) member(value []byte, word string) (fault Fault) {
	name, kind, optional := parts(word)
	switch {
	case optional && (value == nil || s.Null && string(value) == "null"):
		return fault
	case value != nil:
		fault = s.value(value, kind)
	default:
		fault.What = "{0} is missing"
	}
	fault.Path = "." + name + fault.Path
	return fault
}

// parts takes a member apart as a type writes it.
func parts(word string) (name, kind string, optional bool) {
	name, kind = cut(word, ':')
	if end := len(name) - 1; name[end] == '?' {
		return name[:end], kind, true
	}
	return name, kind, false
}

func (s *Schema) value(span []byte, kind string) (fault Fault) {
	end := len(kind) - 1
	switch {
	case kind[end] == '*' && !rawjson.IsArray(span):
		kind = kind[:end]
	case kind[end] == '*':
		return s.array(span, kind[:end])
	case kind[end] == ']':
		return s.array(span, kind[:end-1])
	}
	if c := kind[0]; c >= 'A' && c <= 'Z' {
		return s.named(span, kind)
	}
	if !isPlain(span, kind) {
		return Fault{What: "{0} is not of type {1}", Of: kind}
	}
	return fault
}

func (s *Schema) array(span []byte, kind string) (fault Fault) {
	if !rawjson.IsArray(span) {
		return Fault{What: "{0} is not an array"}
	}
	var e rawjson.Elements
	e.StartChecked(span)
	for i := 0; e.Next(); i++ {
		if fault = s.value(e.Value, kind); fault.What != "" {
			fault.Path = "[" + rawjson.Itoa(i) + "]" + fault.Path
			return fault
		}
	}
	return fault
}

// isPlain reports whether a value is of a type that needs no name.
func isPlain(span []byte, kind string) bool {
	c := span[0]
	switch kind[0] {
	case 'o':
		return c == '{'
	case 'n':
		return c == '-' || c >= '0' && c <= '9'
	case 's':
		return c == '"'
	}
	for kind != "" {
		var text string
		if text, kind = cut(kind, '|'); rawjson.Is(span, text[1:len(text)-1]) {
			return true
		}
	}
	return false
}

// cut splits text at the first c, which is in neither part.
func cut(text string, c byte) (before, after string) {
	for i := range len(text) {
		if text[i] == c {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}
