package form

import (
	"math/bits"

	"github.com/parley-mcp/parley/sentence"
)

// settle makes a field of all that a schema said, or refuses what cannot be
// drawn.
func (r *reader) settle(n *node) bool {
	f := n.Field
	rest := n.types &^ aNull
	if rest&aNumber != 0 {
		rest &^= anInteger
	}
	if f.Title == "" {
		f.Title = f.Name
	}
	ok := true
	switch {
	case n.secret:
		return r.isSecret()
	case n.Alternatives != nil:
		f.Kind = Union
	case n.chosen:
		n.fitting()
		if f.Kind = Choice; len(f.Options) == 0 {
			return r.fail(Unsupported, "has no choice that its other keywords allow")
		}
	case !n.typed || rest == 0:
		return r.fail(Unsupported, "has no type that a form can show")
	case rest&anObject != 0:
		return r.fail(Unsupported, "is an object, which a form cannot show")
	case rest&(rest-1) != 0:
		f.Kind, ok = Union, r.byType(n, rest)
	case rest == anArray:
		ok = r.list(n)
	default:
		f.Kind = Kind(bits.TrailingZeros8(uint8(rest))) + String
	}
	switch {
	case !ok || r.strict() && !r.inSubset(n):
		return false
	case n.isEmpty():
		return r.fail(Unsupported, "has a minimum or maximum that leaves nothing to answer")
	}
	f.Nullable = n.types&aNull != 0
	for i := range f.Alternatives {
		f.Alternatives[i].Nullable = f.Nullable
	}
	f.keep()
	if n.initial != nil && !same(n.initial, "null") && f.check(n.initial) == 0 {
		f.Default = r.raw(n.initial)
		if f.Kind == Choice { // as the choice is written
			f.Default = f.Options[f.option(n.initial)].Value
		}
	}
	return true
}

// byType reads n again for each of its types, as alternatives.
func (r *reader) byType(n *node, set types) bool {
	var each []*node
	for ; set != 0; set &= set - 1 {
		kid := newNode(inOption, set&-set)
		if kid.types == aNumber {
			kid.types |= anInteger
		}
		if !r.read(kid, n.span, 1) {
			return false
		}
		each = append(each, kid)
	}
	return r.split(n, each)
}

// split settles the types that the person picks one of.
func (r *reader) split(n *node, each []*node) bool {
	if r.strict() {
		return r.fail(Unsupported, "has several types")
	}
	for _, kid := range each {
		if kid.Name = n.Name; kid.Title == "" {
			kid.Title = n.Title
		}
		if !r.settle(kid) {
			return false
		}
		if (n.exclusive || kid.exclusive) && (kid.Kind == Union || kid.Field.Unchecked != nil) {
			n.exclusive = false // which of them a value fits, the server knows
			r.unchecked(n.Field, kwOneOf, nil)
		}
		if kid.Kind == Union {
			kid.own, n.Unchecked = kid.Alternatives, append(n.Unchecked, kid.Field.Unchecked...)
		}
		n.Alternatives = append(n.Alternatives, kid.own...)
	}
	return len(n.Alternatives) <= maxAlternatives || r.fail(Unsupported, "has more than 16 types to choose from")
}

// list settles an array: some of its choices, or a list of values.
func (r *reader) list(n *node) bool {
	f, items := n.Field, n.items
	if items == nil {
		return r.fail(Unsupported, "is a list of anything, which a form cannot show")
	}
	items.Name, items.Title, items.initial = f.Name, f.Title, nil
	if !r.settle(items) {
		return false
	}
	switch items.Kind {
	case Choice:
		f.Kind, f.Options = Choices, items.Options
	case String, Number, Integer:
		f.Kind, f.Items = List, items.Field
	default:
		return r.fail(Unsupported, "is a list of values that a form cannot show")
	}
	f.Unchecked = append(f.Unchecked, items.Unchecked...)
	items.Unchecked = nil
	return true
}

// fitting leaves the choices that the other keywords allow.
func (n *node) fitting() {
	f := n.Field
	fitting := f.Options[:0]
	for _, o := range f.Options {
		set := n.types & aBoolean
		f.Kind = Boolean
		switch {
		case o.Value[0] == '"':
			set, f.Kind = n.types&aString, String
		case isNumeric(o.Value):
			set, f.Kind = n.types&(aNumber|anInteger), Integer
			if set&aNumber != 0 {
				f.Kind = Number
			}
		}
		if set != 0 && (n.seen&narrowing == 0 && f.Kind != Integer || f.check([]byte(o.Value)) == 0) {
			fitting = append(fitting, o)
		}
	}
	f.Options = fitting
}

// keep takes out what does not go with the kind and says nothing then (JSON
// Schema 2020-12 Validation, section 6).
func (f *Field) keep() {
	if f.Kind != String {
		f.Format, f.MinLength, f.MaxLength = "", 0, 0
	}
	if f.Kind != Number && f.Kind != Integer {
		f.Minimum, f.Maximum, f.ExclusiveMinimum, f.ExclusiveMaximum, f.MultipleOf = "", "", "", "", ""
	}
	if f.Kind != Choices && f.Kind != List {
		f.MinItems, f.MaxItems = 0, 0
	}
	if f.Kind != Choice && f.Kind != Choices {
		f.Options = nil
	}
	f.UniqueItems = f.UniqueItems && f.Kind == List
}

// inSubset refuses keywords that the specification does not have for the kind.
func (r *reader) inSubset(n *node) bool {
	f := n.Field
	may := inNumber
	switch {
	case n.twice:
		return r.fail(Unsupported, "has two lists of choices")
	case n.place == inOption:
		return n.types&aString != 0 || r.fail(Unsupported, "has a choice that is not text")
	case n.place == inItems:
		return f.Kind == Choice && n.types&aString != 0 || r.fail(Unsupported, "is a list without choices, which other clients cannot show")
	case f.Kind == String:
		may = inString
	case f.Kind == Boolean:
		may = inAny
	case f.Kind == Choices:
		may = inChoices
	case f.Kind == Choice && n.types != aString:
		return r.fail(Unsupported, `has choices, but not the type "string"`)
	case f.Kind == Choice:
		if may = inChoice; n.seen>>kwEnum&1 == 0 {
			may &^= 1 << kwEnumNames
		}
	}
	if not := n.seen &^ may &^ annotations; not != 0 { // the first one is told
		return r.fail(Unsupported, sentence.About(`uses "{0}", which other clients cannot show`, keywordNames[bits.TrailingZeros64(uint64(not))]))
	}
	return true
}
