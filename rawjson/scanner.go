package rawjson

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

	at     state
	isName bool   // the string at hand
	word   string // what is missing of the word at hand
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

// Depth is how many containers are open.
func (s *Scanner) Depth() int { return s.open.depth }

// InName reports whether the part ended in a member's name, which begins at
// From.
func (s *Scanner) InName() bool { return s.isName && s.at >= inString }

// Scan reads on in a part from part[i], and returns where it stopped and why.
func (s *Scanner) Scan(part []byte, i int) (int, Stop) {
	for i < len(part) {
		var stop Stop
		if s.at <= atAfter {
			if i = space(part, i); i == len(part) {
				break
			}
		}
		switch s.at {
		case atValue:
			if s.at = atBegun; s.open.depth <= s.Levels {
				return i, StopBegin
			}
			i, stop = s.begin(part, i)
		case atBegun:
			i, stop = s.begin(part, i)
		case atName:
			if part[i] != '"' {
				return s.wrong(part, i)
			}
			s.at, s.isName, s.From = inString, true, s.Base+i
			i++
		case atColon:
			if part[i] != ':' {
				return s.wrong(part, i)
			}
			i, s.at = i+1, atValue
		case atFirst, atAfter:
			i, stop = s.follow(part, i)
		case atFault:
			return i, StopFault
		default:
			i, stop = s.token(part, i)
		}
		if stop != StopPart {
			return i, stop
		}
	}
	s.Base += len(part)
	return i, StopPart
}

// begin reads the first byte of a value, and on if it is a word or number.
func (s *Scanner) begin(part []byte, i int) (int, Stop) {
	s.isName, s.From = false, s.Base+i
	switch c := part[i]; c {
	case '"':
		s.at = inString
		return i + 1, StopPart
	case '{', '[':
		if s.open.depth == MaxDepth {
			return s.fault(newError(i, tooNested))
		}
		s.open.push(c == '{')
		s.at = atFirst
		return i + 1, StopPart
	case 't', 'f', 'n':
		s.at, s.word = inWord, wordOf(c)
	default:
		s.at = inNumber
	}
	return s.token(part, i)
}

// follow reads what follows in a container, or behind the value itself.
func (s *Scanner) follow(part []byte, i int) (int, Stop) {
	object := s.open.top()
	switch c := part[i]; {
	case s.open.depth == 0:
		return s.fault(newError(i, behind))
	case c == ',' && s.at == atAfter:
		i++
	case c == closing(object):
		s.open.pop()
		s.at = atAfter
		return i + 1, s.stop(StopEnd)
	case s.at == atAfter:
		return s.fault(unclosed(part, i, object))
	}
	if s.at = atValue; object {
		s.at = atName
	}
	return i, StopPart
}

// token reads on in a string, word or number.
func (s *Scanner) token(part []byte, i int) (int, Stop) {
	switch {
	case s.at < inWord:
		var other bool
		if i, s.at, other = text(part, i, s.at); other {
			s.Other = true
		}
	case s.at > inWord:
		if i, s.at = number(part, i, s.at); i < len(part) && s.at.mayEnd() {
			s.at = atAfter
		}
	default:
		if i, s.word = spell(part, i, s.word); s.word == "" {
			s.at = atAfter
		}
	}
	switch {
	case s.at != atAfter && i < len(part):
		return s.wrong(part, i)
	case s.at != atAfter:
		return i, StopPart
	case s.isName:
		s.at = atColon
		return i, s.stop(StopName)
	}
	return i, s.stop(StopEnd)
}

// stop is why it stops here, StopPart if it is too deep for that.
func (s *Scanner) stop(why Stop) Stop {
	if s.open.depth > s.Levels {
		return StopPart
	}
	return why
}

func (s *Scanner) wrong(part []byte, i int) (int, Stop) {
	return s.fault(wrong(s.at, s.From-s.Base, i, part))
}

// fault takes what is wrong in the part at hand.
func (s *Scanner) fault(err *Error) (int, Stop) {
	i := err.Offset
	err.Offset += s.Base
	s.at, s.Err = atFault, err
	return i, StopFault
}

// Finish says what is wrong with the text if it ends here, nil if nothing is.
// A number that is the whole text ends here too.
func (s *Scanner) Finish() *Error {
	switch {
	case s.at == atFault:
		return s.Err
	case s.open.depth == 0 && s.at.mayEnd():
		return nil
	}
	return wrong(s.at, s.From, s.Base, nil)
}
