package display

import (
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
)

// What a server can put into a result that is shown, in characters.
const (
	maxText = 4 << 20
	maxURI  = 1200
	maxName = 100
)

// Text is the result in lines, to be shown; empty if there is nothing in it.
func (r Result) Text() string {
	text, _ := Shown(r.Pieces)
	return text
}

// Shown are pieces in lines, to be shown, and how many bytes of them are left
// out because they are too long for that.
func Shown(pieces []Piece) (text string, left int) {
	var s screen
	for i := range pieces {
		if p := &pieces[i]; !p.repeats {
			s.piece(p)
		}
	}
	return s.text.String(), s.left
}

// screen is what is shown.
type screen struct {
	text strings.Builder
	left int
}

func (s *screen) piece(p *Piece) {
	var b strings.Builder
	for _, name := range p.Names {
		if !p.single {
			b.WriteString(s.line(name, maxURI) + ":\n")
		}
	}
	switch {
	case p.IsText():
		text, _ := p.Text()
		text, left := plain.CutText(text, maxText)
		s.left += left
		b.WriteString(text)
	case p.Kind == kindStructured:
		b.WriteString(JSON(p.Raw))
	case p.Kind == "resource_link":
		fmt.Fprintf(&b, "[resource %s: %s]", s.line(jsontext.Text(p.Raw, "name"), maxName), s.line(jsontext.Text(p.Raw, "uri"), maxURI))
	case p.IsBytes():
		b.WriteString("[" + p.About() + "]")
	default:
		fmt.Fprintf(&b, "[content of type %q, to be seen as JSON only]", s.line(p.Kind, maxName))
	}
	s.text.WriteString(strings.TrimRight(b.String(), "\n") + "\n")
}

// About is a piece that is bytes in words fit to be shown: what it is, and how
// long.
func (p *Piece) About() string {
	size := "not base64"
	if data, err := p.Bytes(); err == nil {
		size = fmt.Sprintf("%d bytes", len(data))
	}
	var words []string
	for _, word := range []string{p.Kind, plain.Line(p.MIME, maxName), size} {
		if word != "" && word != "resource" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

func (s *screen) line(text string, most int) string {
	text, left := plain.CutLine(text, most)
	s.left += left
	return text
}
