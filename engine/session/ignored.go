package session

import "github.com/parley-mcp/parley/sentence"

// ignored is what a session has told of that it ignores, as a set: a server that writes
// its log where its messages belong must not fill the host's.
type ignored uint8

const (
	ignoredText   ignored = 1 << iota // in place of a message
	ignoredObject                     // of JSON that is no message, or broken
	ignoredCutOff                     // of a message over several lines
	ignoredBeside                     // text beside a message
	ignoredQuoted                     // a response behind text
	ignoredEcho                       // of a request of ours
	ignoredStray                      // a response that fits no request
)

// ignore tells of something that is ignored, unless it has told of its kind before.
func (s *Session) ignore(kind ignored, text sentence.Text) {
	if s.warned&kind == 0 {
		s.warned |= kind
		s.do(Warning{text})
	}
}
