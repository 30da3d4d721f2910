package rawjson

import "github.com/parley-mcp/parley/sentence"

// state is where a reader stands. A string, word or number is read on from any of its
// states, so that one that is cut is read as one that is not.
type state uint8

const (
	atValue state = iota
	atBegun       // at the first byte of a value, and that was told
	atFirst       // inside of a container that may be empty
	atName        // a name must follow
	atColon       // after a name
	atAfter       // after a value
	atFault

	inString // or in a name
	inEscape // after its backslash
	inHex    // after its \u; one more for each of three digits
	_
	_
	_

	inWord // in true, false or null

	inNumber  // at its first byte
	inMinus   // after its sign
	inDot     // after its point
	inExp     // after its e
	inExpSign // after the sign after that
	inZero    // after the zero it begins with: from here on it may end
	inInt     // in its digits
	inFrac    // in the digits after its point
	inExpInt  // in the digits of its exponent
)

// mayEnd reports whether a string, word or number is whole.
func (at state) mayEnd() bool { return at == atAfter || at >= inZero }

// literal walks a word or number.
func literal(data []byte, i int) (int, *Error) {
	end, at := i, inWord
	switch c := data[i]; c {
	case 't', 'f', 'n':
		rest := ""
		if end, rest = spell(data, i, wordOf(c)); rest == "" {
			return end, nil
		}
	default:
		if end, at = number(data, i, inNumber); at.mayEnd() {
			return end, nil
		}
	}
	return end, wrong(at, i, end, data)
}

// text reads on in a string. It returns where it ended, then atAfter, or where it stopped, and
// whether a byte may be among those that it read which is not ASCII. What is not plain is
// looked at byte by byte: a run of escapes costs no call for each.
func text(data []byte, i int, at state) (end int, next state, other bool) {
	if at != inString {
		i, at = escape(data, i, at)
	}
	for at == inString {
		var more bool
		if i, more = plainText(data, i); more {
			other = true
		}
		for i+1 < len(data) && data[i] == '\\' && isEscape(data[i+1]) {
			i += 2
		}
		switch {
		case i >= len(data):
			return i, at, other
		case data[i] == '"':
			return i + 1, atAfter, other
		case data[i] == '\\':
			i, at = escape(data, i+1, inEscape)
		case data[i] < ' ':
			return i, at, other
		}
	}
	return i, at, other
}

// escape reads on in an escape, from behind its backslash or later. It returns where it
// ended, then inString, or where it stopped.
func escape(data []byte, i int, at state) (int, state) {
	for ; i < len(data) && at != inString; i++ {
		c := data[i]
		switch {
		case at == inEscape && c == 'u':
			at = inHex
		case at == inEscape && isEscape(c), at == inHex+3 && isHex(c):
			at = inString
		case at >= inHex && isHex(c):
			at++
		default:
			return i, at
		}
	}
	return i, at
}

// isEscape reports whether c behind a backslash is an escape.
func isEscape(c byte) bool {
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	}
	return false
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// wordOf is the word that begins with c.
func wordOf(c byte) string {
	switch c {
	case 't':
		return "true"
	case 'f':
		return "false"
	}
	return "null"
}

// spell reads on in a word, and returns what is missing of it.
func spell(data []byte, i int, word string) (end int, rest string) {
	n := 0
	for n < len(word) && i+n < len(data) && data[i+n] == word[n] {
		n++
	}
	return i + n, word[n:]
}

// number reads on in a number up to a byte that is not a part of it.
func number(data []byte, i int, at state) (int, state) {
	if at == inNumber && data[i] == '-' {
		i, at = i+1, inMinus
	}
	if at == inNumber || at == inMinus {
		if !isDigit(data, i) {
			return i, at
		}
		if at = inInt; data[i] == '0' {
			at = inZero
		}
		i++
	}
	if at == inInt {
		i = digits(data, i)
	}
	if at == inInt || at == inZero {
		switch {
		case i < len(data) && data[i] == '.':
			i, at = i+1, inDot
		case i < len(data) && data[i]|0x20 == 'e':
			i, at = i+1, inExp
		default:
			return i, at
		}
	}
	return fraction(data, i, at)
}

// fraction is number from behind the point, or the e, of a number.
func fraction(data []byte, i int, at state) (int, state) {
	if at == inDot && isDigit(data, i) {
		at = inFrac
	}
	if at == inFrac {
		if i = digits(data, i); i < len(data) && data[i]|0x20 == 'e' {
			i, at = i+1, inExp
		}
	}
	if at == inExp && i < len(data) && (data[i] == '+' || data[i] == '-') {
		i, at = i+1, inExpSign
	}
	if (at == inExp || at == inExpSign) && isDigit(data, i) {
		at = inExpInt
	}
	if at == inExpInt {
		i = digits(data, i)
	}
	return i, at
}

func isDigit(data []byte, i int) bool { return i < len(data) && data[i] >= '0' && data[i] <= '9' }

func digits(data []byte, i int) int {
	for i < len(data) && data[i] >= '0' && data[i] <= '9' {
		i++
	}
	return i
}

// wrong is what is wrong with a text that stands in a state at data[i], or ends there. A word or
// number began at from.
func wrong(at state, from, i int, data []byte) *Error {
	switch at {
	case inHex, inHex + 1, inHex + 2, inHex + 3:
		return newError(i-int(at-inHex)-1, "\\u needs four hexadecimal digits")
	case inWord:
		return newError(from, noValue)
	case inNumber, inMinus:
		return newError(from, instead(data, i))
	case inDot:
		return newError(i, "expected a digit after the decimal point")
	case inExp, inExpSign:
		return newError(i, "expected a digit in the exponent")
	case atColon:
		return newError(i, "expected a colon after a member name")
	}
	switch {
	case i >= len(data):
		return newError(i, cut)
	case at == inString:
		return newError(i, "control character in a string")
	case at == inEscape:
		return newError(i, "unknown escape in a string")
	}
	return newError(i, "expected a member name in quotes")
}

// instead is what is wrong if no value, or no number behind its sign, begins at data[i]: many
// languages write what JSON has no number for.
func instead(data []byte, i int) sentence.Text {
	if i < len(data) && (data[i] == 'N' || data[i] == 'I') {
		return "expected a JSON value, not NaN or Infinity,"
	}
	return noValue
}
