//go:build unix

package main_test

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// screen is as much of a terminal as the program needs: it knows where every
// character stands. All characters are one column wide.
type screen struct {
	cells         [][]rune
	row, col      int
	wrap          bool // the last column is written: the next character wraps
	saved         [2]int
	hiddenCursor  bool
	bracketed     bool // bracketed paste is on
	rest          []byte
	last          rune
	unknown       []string // sequences it cannot follow
	width, height int
}

func newScreen(width, height int) *screen {
	s := &screen{width: width, height: height}
	for range height {
		s.cells = append(s.cells, blank(width))
	}
	return s
}

func blank(width int) []rune { return []rune(strings.Repeat(" ", width)) }

func (s *screen) String() string {
	var lines []string
	for _, line := range s.cells {
		lines = append(lines, strings.TrimRight(string(line), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func (s *screen) Write(p []byte) {
	s.rest = append(s.rest, p...)
	for len(s.rest) > 0 {
		n := s.next(s.rest)
		if n == 0 {
			return // the rest of a sequence is to come
		}
		s.rest = s.rest[n:]
	}
}

// next takes one character or sequence and returns its length, 0 if it is not
// complete.
func (s *screen) next(b []byte) int {
	if b[0] == 0x1b {
		return s.escape(b)
	}
	if !utf8.FullRune(b) {
		return 0
	}
	r, size := utf8.DecodeRune(b)
	switch r {
	case '\r':
		s.move(s.row, 0)
	case '\n':
		s.lineFeed()
	case '\b':
		s.move(s.row, s.col-1)
	case '\t':
		s.move(s.row, (s.col/8+1)*8)
	default:
		if r < ' ' || r == 0x7f {
			s.unknown = append(s.unknown, strconv.QuoteRune(r))
			break
		}
		s.print(r)
	}
	return size
}

func (s *screen) print(r rune) {
	if s.wrap {
		s.move(s.row, 0)
		s.lineFeed()
	}
	s.cells[s.row][s.col] = r
	s.last = r
	if s.col == s.width-1 {
		s.wrap = true
	} else {
		s.col++
	}
}

func (s *screen) move(row, col int) {
	s.row, s.col, s.wrap = min(max(row, 0), s.height-1), min(max(col, 0), s.width-1), false
}

func (s *screen) lineFeed() {
	if s.row == s.height-1 {
		s.cells = append(s.cells[1:], blank(s.width))
		s.wrap = false
		return
	}
	s.move(s.row+1, s.col)
}

func (s *screen) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		return s.control(b)
	case ']', 'P', '_', '^', 'X': // strings, which end in ST or BEL
		for i := 2; i < len(b); i++ {
			if b[i] == 7 || b[i] == '\\' && b[i-1] == 0x1b {
				s.unknown = append(s.unknown, strconv.Quote(string(b[:i+1])))
				return i + 1
			}
		}
		return 0
	case '7':
		s.saved = [2]int{s.row, s.col}
	case '8':
		s.move(s.saved[0], s.saved[1])
	case 'M':
		if s.row == 0 {
			s.insertLines(0, 1)
		} else {
			s.move(s.row-1, s.col)
		}
	case '=', '>':
	default:
		s.unknown = append(s.unknown, strconv.Quote(string(b[:2])))
	}
	return 2
}

// control follows a control sequence: ESC [ parameters final.
func (s *screen) control(b []byte) int {
	end := 2
	for end < len(b) && (b[end] < 0x40 || b[end] > 0x7e) {
		end++
	}
	if end == len(b) {
		return 0
	}
	text, final := string(b[2:end]), b[end]
	parameters := strings.Split(text, ";")
	get := func(i, otherwise int) int {
		if i < len(parameters) {
			if n, err := strconv.Atoi(parameters[i]); err == nil && n > 0 {
				return n
			}
		}
		return otherwise
	}
	n := get(0, 1)
	switch final {
	case 'A':
		s.move(s.row-n, s.col)
	case 'B':
		s.move(s.row+n, s.col)
	case 'C':
		s.move(s.row, s.col+n)
	case 'D':
		s.move(s.row, s.col-n)
	case 'E':
		s.move(s.row+n, 0)
	case 'F':
		s.move(s.row-n, 0)
	case 'G', '`':
		s.move(s.row, n-1)
	case 'd':
		s.move(n-1, s.col)
	case 'H', 'f':
		s.move(n-1, get(1, 1)-1)
	case 'Z':
		s.move(s.row, (s.col-1)/8*8)
	case 'J':
		s.eraseLine(get(0, 0))
		for row := range s.cells {
			if get(0, 0) == 2 || get(0, 0) == 0 && row > s.row || get(0, 0) == 1 && row < s.row {
				s.cells[row] = blank(s.width)
			}
		}
	case 'K':
		s.eraseLine(get(0, 0))
	case 'X':
		copy(s.cells[s.row][s.col:min(s.col+n, s.width)], blank(n))
	case 'P':
		line := s.cells[s.row]
		s.cells[s.row] = append(append(line[:s.col:s.col], line[min(s.col+n, s.width):]...), blank(n)...)[:s.width]
	case '@':
		line := s.cells[s.row]
		s.cells[s.row] = append(append(line[:s.col:s.col], blank(n)...), line[s.col:]...)[:s.width]
	case 'L':
		s.insertLines(s.row, n)
	case 'M':
		for range min(n, s.height-s.row) {
			s.cells = append(append(s.cells[:s.row:s.row], s.cells[s.row+1:]...), blank(s.width))
		}
	case 'b':
		for range n {
			s.print(s.last)
		}
	case 'h', 'l':
		switch text {
		case "?25":
			s.hiddenCursor = final == 'l'
		case "?2004":
			s.bracketed = final == 'h'
		}
	case 'm', 'n', 'c', 'p', 'q', 'u', 't': // colours, questions and modes of the keyboard
	default:
		s.unknown = append(s.unknown, strconv.Quote(string(b[:end+1])))
	}
	return end + 1
}

func (s *screen) eraseLine(part int) {
	line := s.cells[s.row]
	switch part {
	case 0:
		copy(line[s.col:], blank(s.width))
	case 1:
		copy(line[:s.col+1], blank(s.width))
	case 2:
		copy(line, blank(s.width))
	}
}

func (s *screen) insertLines(row, n int) {
	for range min(n, s.height-row) {
		s.cells = append(append(s.cells[:row:row], blank(s.width)), s.cells[row:s.height-1]...)
	}
}
