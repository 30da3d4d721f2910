package display

import "io"

// Write writes pieces for a program: each text as it is, byte for byte, and what
// is no text as the JSON that the server sent, on lines of its own. If there are
// several, a text ends at the line break before the next piece, and names stand
// on lines before theirs; a single text has nothing around it. broken is how many
// texts UTF-8 cannot express; see [Piece.Text].
func Write(w io.Writer, pieces []Piece) (broken int, err error) {
	out := &program{to: w}
	written := 0
	for i := range pieces {
		if !pieces[i].repeated {
			written++
		}
	}
	inLine := false
	for i := range pieces {
		p := &pieces[i]
		if p.repeated {
			continue
		}
		if inLine {
			out.put("\n")
		}
		for _, name := range p.Names {
			if written > 1 {
				out.put(name + ":\n")
			}
		}
		if inLine = p.IsText(); !inLine {
			out.put(string(p.Raw) + "\n")
			continue
		}
		text, isBroken := p.Text()
		if isBroken {
			broken++
		}
		out.put(text)
	}
	return broken, out.err
}

// program is where a program reads. Nothing more goes there after an error.
type program struct {
	to  io.Writer
	err error
}

func (p *program) put(text string) {
	if p.err == nil && text != "" {
		_, p.err = io.WriteString(p.to, text)
	}
}
