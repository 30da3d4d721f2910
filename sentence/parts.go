package sentence

// Param is one parameter of a sentence: a sentence again, or words that stay as
// they are.
type Param struct {
	Words    string // in English
	Sentence Text   // "" for what no language changes
}

// Parts takes a sentence apart: its template, with {0} where the first parameter
// goes, and the parameters.
func (t Text) Parts() (template string, params []Param) {
	for i := 0; i < len(t); i++ {
		if t[i] != value && t[i] != inner {
			template += t[i : i+1].String()
			continue
		}
		from, depth := i, 1
		for i++; i < len(t) && depth > 0; i++ {
			switch t[i] {
			case value, inner:
				depth++
			case end:
				depth--
			}
		}
		i--
		template += "{" + string(rune('0'+len(params))) + "}"
		params = append(params, param(t[from], t[from+1:i]))
	}
	return template, params
}

// param is what stands between two marks.
func param(mark byte, t Text) Param {
	p := Param{Words: t.String()}
	if mark == value {
		return p
	}
	if template, params := t.Parts(); template == "{0}" { // a sentence that is nothing but its parameter
		return params[0]
	}
	p.Sentence = t
	return p
}

// In is the sentence in another language: words finds a template's translation,
// in which {0} and {1} may stand in another order, and says "" where it has none.
func (t Text) In(words func(template string) string) string {
	template, params := t.Parts()
	said := words(template)
	if said == "" {
		said = template
	}
	text := ""
	for i := 0; i < len(said); i++ {
		if said[i] != '{' || i+2 >= len(said) || said[i+2] != '}' || int(said[i+1]-'0') >= len(params) {
			text += said[i : i+1]
			continue
		}
		p := params[said[i+1]-'0']
		if p.Sentence != "" {
			p.Words = p.Sentence.In(words)
		}
		text += p.Words
		i += 2
	}
	return text
}
