package request

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxTemplate bounds a template, in bytes: it is the server's.
const maxTemplate = 8 << 10

// Variable is what a template is filled in with, a text.
type Variable struct {
	Name     string
	Required bool // without it the address would have a hole: it is in no query and no fragment
}

// TemplateVariables are a template's, each once, in their order. They are nil where there
// are none, and where the text is no template.
//
// Source: RFC 6570, all four levels, without lists: MCP has texts only.
func TemplateVariables(template string) []Variable {
	var list []Variable
	if _, ok := walk(template, func(e expression, v variable) string {
		for i := range list {
			if list[i].Name == v.name {
				list[i].Required = list[i].Required || e.required
				return ""
			}
		}
		list = append(list, Variable{v.name, e.required})
		return ""
	}); !ok {
		return nil
	}
	return list
}

// ExpandTemplate fills a template in. What is empty is left out.
func ExpandTemplate(template string, values map[string]string) string {
	text, _ := walk(template, func(e expression, v variable) string {
		value := values[v.name]
		if value == "" {
			return ""
		}
		if v.prefix > 0 && utf8.RuneCountInString(value) > v.prefix {
			value = string([]rune(value)[:v.prefix])
		}
		value = escape(value, e.reserved)
		if e.named {
			return v.name + "=" + value
		}
		return value
	})
	return text
}

// expression is what stands in braces: an operator, here as what it does.
type expression struct {
	first, between string
	named          bool
	reserved       bool // characters that addresses are made of stay
	required       bool
}

type variable struct {
	name   string
	prefix int // characters, 0 for all
}

var operators = map[byte]expression{
	'+': {"", ",", false, true, true},
	'#': {"#", ",", false, true, false},
	'.': {".", ".", false, false, true},
	'/': {"/", "/", false, false, true},
	';': {";", ";", true, false, true},
	'?': {"?", "&", true, false, false},
	'&': {"&", "&", true, false, false},
}

// walk puts in the place of each variable what fill returns, and reports whether
// the text is a template.
func walk(template string, fill func(expression, variable) string) (string, bool) {
	if len(template) > maxTemplate || !utf8.ValidString(template) {
		return "", false
	}
	var b strings.Builder
	for rest := template; ; {
		literal, after, found := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return "", false
		}
		b.WriteString(escape(literal, true))
		if !found {
			return b.String(), true
		}
		inside, next, closed := strings.Cut(after, "}")
		if !closed || inside == "" {
			return "", false
		}
		rest = next
		e, has := operators[inside[0]]
		if has {
			inside = inside[1:]
		} else {
			e = expression{"", ",", false, false, true}
		}
		before := e.first
		for spec := range strings.SplitSeq(inside, ",") {
			v, ok := parse(spec)
			if !ok {
				return "", false
			}
			if text := fill(e, v); text != "" {
				b.WriteString(before + text)
				before = e.between
			}
		}
	}
}

// parse reads a name, perhaps with how much of its value is wanted. An asterisk is
// for lists.
func parse(spec string) (v variable, ok bool) {
	name, prefix, cut := strings.Cut(strings.TrimSuffix(spec, "*"), ":")
	if cut {
		n, err := strconv.Atoi(prefix)
		if err != nil || n < 1 || n > 9999 || strings.HasSuffix(spec, "*") {
			return v, false
		}
		v.prefix = n
	}
	for _, c := range name {
		if !isWord(c) && c != '.' && c != '%' {
			return v, false
		}
	}
	v.name = name
	return v, name != ""
}

func isWord(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// escape writes what may not stand in an address as percent and hexadecimal.
func escape(text string, reserved bool) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		triplet := c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2])
		if isWord(rune(c)) || strings.IndexByte("-.~", c) >= 0 || reserved && (strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0 || triplet) {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + string("0123456789ABCDEF"[c>>4]) + string("0123456789ABCDEF"[c&15]))
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
