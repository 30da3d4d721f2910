package rawjson

import "github.com/parley-mcp/parley/sentence"

// Scanner reads one JSON value that comes in parts of any size, in time linear
// to its length and without keeping any of it. It accepts what [Valid] accepts,
// and what is wrong with the rest it says in the same words.
//
// It stops at names and values that the caller may want to know of:
//
//	for i, stop := 0, rawjson.Stop(0); ; {
//		if i, stop = s.Scan(part, i); stop == rawjson.StopPart {
//			break // the next one, or Finish
//		}
//		…
//	}
//
// The zero value reads from the start and stops at nothing but the value itself
// and what is wrong with it.
type Scanner struct {
	// Levels is how deep it stops at names and values: 1 is inside of the value
	// itself. It may change at every stop.
	Levels int

	Base int    // where the part at hand begins in the whole text
	From int    // where the name, string, number or word that was read last begins in it
	Err  *Error // why it stopped with StopFault

	// Other is set where a byte may have been read that is not ASCII: one that is
	// stands in a string or is a fault.
	Other bool

	state  scanState
	object bool // the innermost open container
	isName bool // the string at hand
	left   int8 // hexadecimal digits of an escape
	word   string
	mark   int // where an escape begins
	open   nesting
}

// Stop is why a [Scanner] stopped.
type Stop uint8

// The reasons.
const (
	StopPart  Stop = iota // the part is used up; Base has moved on
	StopName              // a member's name ends
	StopBegin             // a value begins
	StopEnd               // a value ends
	StopFault             // the text is not well-formed, see Err
)

type scanState uint8

const (
	atValue   scanState = iota
	atBegun             // at its first byte, and that was told
	atFirst             // inside of a container that may be empty
	atName              // a name must follow
	atColon             // after a name
	atAfter             // after a value
	inString            // or in a name
	inEscape            // after its backslash
	inHex               // in its digits
	inWord              // in true, false or null
	inMinus             // after the sign of a number
	inZero              // after the zero it begins with
	inInt               // in its digits
	inDot               // after its point
	inFrac              // in the digits after that
	inExp               // after its e
	inExpSign           // after the sign after that
	inExpInt            // in the digits after that
	atFault
)

// Depth is how many containers are open.
func (s *Scanner) Depth() int { return s.open.depth }

// InName reports whether the part ended in a member's name, which begins at
// From.
func (s *Scanner) InName() bool {
	return s.isName && (s.state == inString || s.state == inEscape || s.state == inHex)
}

// Scan reads on in a part from part[i], and returns where it stopped and why.
func (s *Scanner) Scan(part []byte, i int) (int, Stop) {
	for i < len(part) {
		switch s.state {
		case atValue:
			if i = space(part, i); i == len(part) {
				continue
			}
			s.state = atBegun
			if s.open.depth <= s.Levels {
				return i, StopBegin
			}
		case atBegun:
			s.From = s.Base + i
			switch c := part[i]; {
			case c == '"':
				s.state, s.isName = inString, false
				i++
			case c == '{' || c == '[':
				if s.open.depth == MaxDepth {
					return s.fault(i, "nested too deep")
				}
				s.object = c == '{'
				s.open.push(s.object)
				s.state = atFirst
				i++
			case c >= '1' && c <= '9':
				s.state = inInt
			case c == '0':
				s.state = inZero
				i++
			case c == '-':
				s.state = inMinus
				i++
			case c == 't':
				s.state, s.word = inWord, "true"
			case c == 'f':
				s.state, s.word = inWord, "false"
			case c == 'n':
				s.state, s.word = inWord, "null"
			default:
				return s.fault(i, instead(c))
			}
		case atFirst:
			if i = space(part, i); i == len(part) {
				continue
			}
			switch {
			case s.object && part[i] == '}', !s.object && part[i] == ']':
				if i = s.close(i); s.open.depth <= s.Levels {
					return i, StopEnd
				}
			case s.object:
				s.state = atName
			default:
				s.state = atValue
			}
		case atName:
			if i = space(part, i); i == len(part) {
				continue
			}
			if part[i] != '"' {
				return s.fault(i, "expected a member name in quotes")
			}
			s.state, s.isName, s.From = inString, true, s.Base+i
			i++
		case atColon:
			if i = space(part, i); i == len(part) {
				continue
			}
			if part[i] != ':' {
				return s.fault(i, "expected a colon after a member name")
			}
			s.state = atValue
			i++
		case atAfter:
			if i = space(part, i); i == len(part) {
				continue
			}
			switch c := part[i]; {
			case s.open.depth == 0:
				return s.fault(i, "text after the JSON value")
			case c == ',':
				s.state = atValue
				if s.object {
					s.state = atName
				}
				i++
			case s.object && c != '}':
				return s.fault(i, "expected a comma or } after an object member")
			case !s.object && c != ']':
				return s.fault(i, "expected a comma or ] after an array element")
			default:
				if i = s.close(i); s.open.depth <= s.Levels {
					return i, StopEnd
				}
			}
		case inString:
			var other bool
			if i, other = plainText(part, i); other {
				s.Other = true
			}
			if i == len(part) {
				continue
			}
			switch part[i] {
			case '"':
				i++
				stop := StopEnd
				if s.state = atAfter; s.isName {
					s.state, stop = atColon, StopName
				}
				if s.open.depth <= s.Levels {
					return i, stop
				}
			case '\\':
				s.state = inEscape
				i++
			default:
				return s.fault(i, "control character in a string")
			}
		case inEscape:
			switch part[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				s.state = inString
			case 'u':
				s.state, s.left, s.mark = inHex, 4, s.Base+i
			default:
				return s.fault(i, "unknown escape in a string")
			}
			i++
		case inHex:
			if c := part[i] | 0x20; !(c >= 'a' && c <= 'f') && !(part[i] >= '0' && part[i] <= '9') {
				return s.fault(s.mark-s.Base, badEscape)
			}
			if s.left--; s.left == 0 {
				s.state = inString
			}
			i++
		case inWord:
			for i < len(part) && s.word != "" {
				if part[i] != s.word[0] {
					return s.fault(s.From-s.Base, noValue)
				}
				s.word = s.word[1:]
				i++
			}
			if s.word == "" {
				s.state = atAfter
				if s.open.depth <= s.Levels {
					return i, StopEnd
				}
			}
		default:
			var stop Stop
			if i, stop = s.number(part, i); stop != StopPart {
				return i, stop
			}
		}
	}
	s.Base += len(part)
	return i, StopPart
}

// number reads on in a number. It returns StopPart if there is nothing to stop
// for.
func (s *Scanner) number(part []byte, i int) (int, Stop) {
	c := part[i]
	isDigit := c >= '0' && c <= '9'
	switch s.state {
	case inMinus:
		switch {
		case c == '0':
			s.state = inZero
			return i + 1, StopPart
		case isDigit:
			s.state = inInt
			return i + 1, StopPart
		}
		return s.fault(s.From-s.Base, instead(c))
	case inInt, inZero:
		if s.state == inInt {
			if i = digits(part, i); i == len(part) {
				return i, StopPart
			}
			c = part[i]
		}
		switch {
		case c == '.':
			s.state = inDot
			return i + 1, StopPart
		case c == 'e' || c == 'E':
			s.state = inExp
			return i + 1, StopPart
		}
	case inDot:
		if !isDigit {
			return s.fault(i, "expected a digit after the decimal point")
		}
		s.state = inFrac
		return i + 1, StopPart
	case inFrac:
		if i = digits(part, i); i == len(part) {
			return i, StopPart
		}
		if c = part[i]; c == 'e' || c == 'E' {
			s.state = inExp
			return i + 1, StopPart
		}
	case inExp, inExpSign:
		switch {
		case s.state == inExp && (c == '+' || c == '-'):
			s.state = inExpSign
		case isDigit:
			s.state = inExpInt
		default:
			return s.fault(i, "expected a digit in the exponent")
		}
		return i + 1, StopPart
	case inExpInt:
		if i = digits(part, i); i == len(part) {
			return i, StopPart
		}
	default: // atFault
		return i, StopFault
	}
	if s.state = atAfter; s.open.depth <= s.Levels {
		return i, StopEnd
	}
	return i, StopPart
}

// close ends the innermost container.
func (s *Scanner) close(i int) int {
	s.open.pop()
	s.object = s.open.top()
	s.state = atAfter
	return i + 1
}

func (s *Scanner) fault(i int, reason sentence.Text) (int, Stop) {
	s.state, s.Err = atFault, newError(s.Base+i, reason)
	return i, StopFault
}

const badEscape = "\\u needs four hexadecimal digits"

// Finish says what is wrong with the text if it ends here, nil if nothing is.
// A number that is the whole text ends here too.
func (s *Scanner) Finish() *Error {
	const cut = "unexpected end of JSON"
	switch s.state {
	case atFault:
		return s.Err
	case atAfter, inZero, inInt, inFrac, inExpInt:
		if s.open.depth == 0 {
			return nil
		}
		return newError(s.Base, cut)
	case atColon:
		return newError(s.Base, "expected a colon after a member name")
	case inHex:
		return newError(s.mark, badEscape)
	case inWord, inMinus:
		return newError(s.From, noValue)
	case inDot:
		return newError(s.Base, "expected a digit after the decimal point")
	case inExp, inExpSign:
		return newError(s.Base, "expected a digit in the exponent")
	}
	return newError(s.Base, cut)
}
