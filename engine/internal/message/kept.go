package message

// kept is the text that is kept of a message in slices. As long as the message
// is no longer than the limit, that is all of it; then the members that are, one
// by one; of a result that is longer, its members.
type kept struct {
	level int    // of what the pieces are of: the message or, from 1 on, the member at hand
	from  int    // where that begins
	came  pieces // what came of it
	texts []text
}

type text struct {
	name Name
	text []byte
}

// text is the whole message, nil if it is too long.
func (k *kept) text() []byte {
	if k.level > 0 {
		return nil
	}
	return k.came.cut(0, k.came.size)
}

// add takes a slice that has been read.
func (k *kept) add(m *Message, slice []byte) {
	if k.level > 0 {
		p := m.now[k.level]
		if !p.isOpen || m.bad != nil {
			return
		}
		k.from = m.values[p.name].from
		slice = k.since(m, slice)
	}
	k.came.add(slice)
	for k.came.size > m.limit {
		k.narrow(m)
	}
}

// since is the part of a slice that has been read that belongs to the member.
func (k *kept) since(m *Message, slice []byte) []byte {
	return slice[max(k.from-(m.end-len(slice)), 0):]
}

// narrow keeps single members of what has become too long.
func (k *kept) narrow(m *Message) {
	k.level++
	k.hold(m, levels[k.level])
	if !m.now[k.level].isOpen {
		k.came = pieces{}
		return
	}
	from := m.values[m.now[k.level].name].from
	k.came.drop(from - k.from)
	k.from = from
}

// hold keeps the members that have ended of a level, whose first Name is given,
// or of those that are too long theirs.
func (k *kept) hold(m *Message, first Name) {
	if first == count {
		return
	}
	next := levels[maxLevel+1]
	for _, n := range levels {
		if n > first {
			next = n
			break
		}
	}
	for n := first; n < next; n++ {
		v := m.values[n]
		switch {
		case m.has>>n&1 == 0 || v.from < k.from:
		case v.to-v.from <= m.limit:
			k.texts = append(k.texts, text{n, k.came.cut(v.from-k.from, v.to-k.from)})
		case n == Result || n == TaskResult:
			k.hold(m, next)
		}
	}
}

// end takes the end of a member; slice is what was read up to there.
func (k *kept) end(m *Message, level int, n Name, slice []byte) {
	if k.level == 0 || level > k.level {
		return
	}
	if level == k.level {
		v := m.values[n]
		k.from = v.from
		if base := v.to - len(slice); v.from > base {
			slice = slice[v.from-base:]
		}
		k.came.add(slice)
		if k.came.size <= m.limit {
			k.texts = append(k.texts, text{n, k.came.cut(0, k.came.size)})
		} else if n == Result || n == TaskResult {
			k.hold(m, levels[level+1])
		}
	}
	k.level, k.came = level, pieces{}
}
