package modules

import "github.com/tetratelabs/wazero/experimental"

// memory is an instance's memory. wazero would copy all of it each time that it
// grows, and a module grows it by doubling, page by page or both: here it gets
// four times the room at once, which the system gives only as it is used.
type memory struct {
	bytes []byte
	most  uint64
}

func allocate(_, most uint64) experimental.LinearMemory { return &memory{most: most} }

func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.bytes)) {
		room := size
		if len(m.bytes) > 0 {
			room = max(size, min(4*size, m.most))
		}
		m.bytes = append(make([]byte, 0, room), m.bytes...)
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

func (m *memory) Free() { m.bytes = nil }
