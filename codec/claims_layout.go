package codec

import "github.com/parley-mcp/parley/codec/refusal"

// What a Guard seals, integers big-endian:
//
//	0   1  low nibble: format 1; 0x10 flow start, 0x20 pins, 0x40 no state; 0x80 must be 0
//	1   1  rounds with questions so far
//	2   4  iat: Unix time in seconds
//	6   2  ttl in minutes, 1 to 43200
//	8   8  salt
//	16 16  tag of the binding
//	32  6  hint: two bytes of each of the binding's digests
//	38 [4] flow start: Unix time in seconds, with flag 0x10; else it is iat
//	   [1+24k] pins, with flag 0x20: their number k, then each one's key and question
//	   rest: the handler's state
const (
	formatVersion = 0x01
	flagFlowStart = 0x10
	flagPins      = 0x20
	flagNoState   = 0x40
	flagReserved  = 0x80

	saltSize  = 8
	keySize   = 8
	fixedSize = 38

	// maxQuestions is how many questions a round may have.
	maxQuestions = 64

	maxTTLMinutes = 43_200
)

// claims is the content of a state.
type claims struct {
	rounds int
	iat    int64 // Unix s
	ttl    int64 // s
	salt   [saltSize]byte
	tag    [tagSize]byte
	hint   [6]byte
	start  int64 // Unix s; iat in the first token of a flow
	later  bool  // not the first token of its flow
	pinned bool  // pins say all that was asked, even if that is nothing
	pins   []pin
	none   bool // the handler set no state
	state  []byte
}

// pin is a question of the round the state was minted in.
type pin struct {
	key      [keySize]byte
	question [16]byte
}

func (c *claims) append(dst []byte) []byte {
	flags := byte(formatVersion)
	if c.later {
		flags |= flagFlowStart
	}
	if c.pinned {
		flags |= flagPins
	}
	if c.none {
		flags |= flagNoState
	}
	minutes := uint16(c.ttl / 60)
	dst = append(dst, flags, byte(c.rounds))
	dst = appendUint32(dst, c.iat)
	dst = append(dst, byte(minutes>>8), byte(minutes))
	dst = append(append(append(dst, c.salt[:]...), c.tag[:]...), c.hint[:]...)
	if c.later {
		dst = appendUint32(dst, c.start)
	}
	if c.pinned {
		dst = append(dst, byte(len(c.pins)))
		for i := range c.pins {
			dst = append(append(dst, c.pins[i].key[:]...), c.pins[i].question[:]...)
		}
	}
	return append(dst, c.state...)
}

// readClaims reads what [claims.append] wrote. The state aliases text.
func readClaims(text []byte) (*claims, error) {
	malformed := &Error{Code: refusal.Malformed}
	if len(text) < fixedSize || text[0]&0x0f != formatVersion || text[0]&flagReserved != 0 {
		return nil, malformed
	}
	flags := text[0]
	c := &claims{
		rounds: int(text[1]),
		iat:    readUint32(text[2:]),
		ttl:    (int64(text[6])<<8 | int64(text[7])) * 60,
		pinned: flags&flagPins != 0,
		none:   flags&flagNoState != 0,
		later:  flags&flagFlowStart != 0,
	}
	if c.ttl == 0 || c.ttl > maxTTLMinutes*60 {
		return nil, malformed
	}
	copy(c.salt[:], text[8:])
	copy(c.tag[:], text[16:])
	copy(c.hint[:], text[32:])
	c.start = c.iat
	rest := text[fixedSize:]
	if c.later {
		if len(rest) < 4 {
			return nil, malformed
		}
		c.start, rest = readUint32(rest), rest[4:]
	}
	if c.pinned {
		if len(rest) < 1 || rest[0] > maxQuestions || len(rest) < 1+int(rest[0])*24 {
			return nil, malformed
		}
		c.pins = make([]pin, rest[0])
		rest = rest[1:]
		for i := range c.pins {
			copy(c.pins[i].key[:], rest)
			copy(c.pins[i].question[:], rest[keySize:])
			rest = rest[24:]
		}
	}
	if c.none && len(rest) > 0 {
		return nil, malformed
	}
	c.state = rest
	return c, nil
}

func appendUint32(dst []byte, n int64) []byte {
	return append(dst, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

func readUint32(text []byte) int64 {
	return int64(text[0])<<24 | int64(text[1])<<16 | int64(text[2])<<8 | int64(text[3])
}
