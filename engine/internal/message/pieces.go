package message

// pieces are a text as it came, in copies of its slices: what may be of no use once
// more has come is put together only where it is of use.
type pieces struct {
	list [][]byte
	gone int // bytes at the beginning of the first that are no part of it any more
	size int
}

const minPiece = 4096 // bytes that are taken for one, however short a slice is

// add appends a copy of a slice.
func (p *pieces) add(slice []byte) {
	p.size += len(slice)
	last := len(p.list) - 1
	if last < 0 || len(slice) > cap(p.list[last])-len(p.list[last]) {
		p.list = append(p.list, make([]byte, 0, max(len(slice), minPiece)))
		last++
	}
	p.list[last] = append(p.list[last], slice...)
}

// drop takes n bytes away from the beginning.
func (p *pieces) drop(n int) {
	p.size -= n
	for p.gone += n; len(p.list) > 0 && p.gone >= len(p.list[0]); p.list = p.list[1:] {
		p.gone -= len(p.list[0])
	}
}

// cut is a copy of a part of it, or what is kept itself if that is all there is.
func (p *pieces) cut(from, to int) []byte {
	if from == 0 && to == p.size && len(p.list) == 1 {
		return p.list[0][p.gone:]
	}
	text := make([]byte, 0, to-from)
	at := -p.gone // where a piece begins
	for _, piece := range p.list {
		if begin, end := max(from-at, 0), min(to-at, len(piece)); begin < end {
			text = append(text, piece[begin:end]...)
		}
		at += len(piece)
	}
	return text
}
