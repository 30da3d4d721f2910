package form

import "github.com/parley-mcp/parley/sentence"

// formats are the formats of the subset.
var formats = [...]Format{"", Email, URI, Date, DateTime}

// formatMessages are what is told the person who has to change the text.
var formatMessages = [...]sentence.Text{
	"cannot be answered",
	"must be an email address like name@example.com",
	"must be an address like https://example.com/page",
	"must be a date like 2026-03-31",
	"must be a date and time like 2026-03-31T09:30:00Z",
}

// index is the index of f in formats, or -1.
func (f Format) index() int {
	for i := range formats {
		if f == formats[i] {
			return i
		}
	}
	return -1
}

// fits reports whether a text has the format. A format that is none of the
// subset fits nothing; Parse lets none through.
func (f Format) fits(s []byte) bool {
	switch f.index() {
	case 0:
		return true
	case 1:
		return isEmail(s)
	case 2:
		return isURI(s)
	case 3:
		return len(s) == len("2026-03-31") && monthDay(s) > 0
	case 4:
		return isDateTime(s)
	}
	return false
}

// shaped reports whether s begins like a shape: a digit where there is a 0,
// and what is there elsewhere, letters in any case.
func shaped[T string | []byte](s T, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for i := 0; i < len(shape); i++ {
		c := s[i]
		if shape[i] == '0' {
			if !isDigit(c) {
				return false
			}
		} else if c != shape[i] && (c|0x20 != shape[i] || !isLetter(c)) {
			return false
		}
	}
	return true
}

// two is the number that two digits of s are.
func two(s []byte, i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }

// monthDay reads the RFC 3339 full-date that s begins with: 331 is the 31st of
// March, 0 is no date.
func monthDay(s []byte) int {
	if !shaped(s, "0000-00-00") {
		return 0
	}
	year, month, day := two(s, 0)*100+two(s, 2), two(s, 5), two(s, 8)
	days := 30 + (month+month/8)%2
	if month == 2 {
		days = 28
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			days = 29
		}
	}
	if month < 1 || month > 12 || day < 1 || day > days {
		return 0
	}
	return month*100 + day
}

// day is how many minutes a day has.
const day = 24 * 60

// clock reads the hh:mm at index i of s as minutes, from day on if it is no
// time.
func clock(s []byte, i int) int {
	hour, minute := two(s, i), two(s, i+3)
	if hour > 23 || minute > 59 {
		return day
	}
	return hour*60 + minute
}

// isDateTime checks RFC 3339, section 5.6: the offset is a must, T and Z may be
// in lower case, and a space instead of the T is only for showing.
func isDateTime(s []byte) bool {
	const local = "0000-00-00t00:00:00"
	date := monthDay(s)
	if date == 0 || !shaped(s, local) {
		return false
	}
	time, second := clock(s, 11), two(s, 17)
	s = s[len(local):]
	if shaped(s, ".0") {
		n := 2
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		s = s[n:]
	}
	offset := 0
	switch {
	case shaped(s, "z") && len(s) == 1:
	case (shaped(s, "+00:00") || shaped(s, "-00:00")) && len(s) == 6:
		offset = clock(s, 1)
	default:
		return false
	}
	if time == day || offset == day || second > 60 {
		return false
	}
	if s[0] == '+' {
		offset = -offset
	}
	// Second 60 ends June or December in UTC, where the local day may be the
	// next one (RFC 3339, section 5.7).
	time += offset
	return second < 60 ||
		time == day-1 && (date == 630 || date == 1231) ||
		time == -1 && (date == 701 || date == 101)
}

// isEmail takes what an HTML form takes in a field of type email (WHATWG HTML,
// "valid email address"), so that a browser's own check and this one agree, but
// not two dots in a row or at an end of the local part, which servers refuse
// (RFC 5321, Dot-string).
func isEmail(s []byte) bool {
	at, label := -1, 0 // where the @ is; bytes since the last dot or the @
	for i, c := range s {
		switch {
		case c == '@' && at < 0 || c == '.':
			if label == 0 || at >= 0 && s[i-1] == '-' {
				return false
			}
			if c == '@' {
				at = i
			}
			label = 0
			continue
		case isLetter(c), isDigit(c):
		case at < 0 && contains("!#$%&'*+/=?^_`{|}~-", c):
		case at >= 0 && c == '-' && label > 0:
		default:
			return false
		}
		if label++; at >= 0 && label > 63 {
			return false
		}
	}
	return at > 0 && label > 0 && s[len(s)-1] != '-'
}

// isURI checks for the characters of RFC 3986 behind a scheme. What opens in a
// browser needs a host besides, and a scheme alone names nothing.
func isURI(s []byte) bool {
	colon := 0
	for colon < len(s) && (isLetter(s[colon]) || colon > 0 && (isDigit(s[colon]) || contains("+-.", s[colon]))) {
		colon++
	}
	if colon == 0 || colon+1 >= len(s) || s[colon] != ':' {
		return false
	}
	web := shaped(s, "http") && (colon == 4 || colon == 5 && s[4]|0x20 == 's')
	rest := s[colon+1:]
	authority := shaped(rest, "//")
	if authority {
		rest = rest[2:]
	}
	if web && (!authority || !beginsHost(rest)) {
		return false
	}
	user, bracket, fragment := false, false, false
	for i, c := range rest {
		switch c {
		case '@':
			if authority && (user || web && !beginsHost(rest[i+1:])) {
				return false
			}
			user = true
		case '[':
			if !authority || i > 0 && rest[i-1] != '@' {
				return false
			}
			bracket = true
		case ']':
			if !bracket {
				return false
			}
			bracket = false
		case '#', '/', '?':
			if bracket || fragment && c == '#' {
				return false
			}
			authority = false
			fragment = fragment || c == '#'
		case '%':
			if i+2 >= len(rest) || !isHex(rest[i+1]) || !isHex(rest[i+2]) {
				return false
			}
		default:
			if c <= ' ' || c > '~' || contains("\"<>\\^`{|}", c) {
				return false
			}
		}
	}
	return !bracket
}

func beginsHost(s []byte) bool { return len(s) > 0 && !contains("/?#:@", s[0]) }

func isHex(c byte) bool { return isDigit(c) || c|0x20-'a' < 6 }

func contains(set string, c byte) bool {
	for i := 0; i < len(set); i++ {
		if set[i] == c {
			return true
		}
	}
	return false
}
