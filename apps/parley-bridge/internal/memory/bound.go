// Package memory bounds the bytes that the bridge holds for its clients: for each user,
// and for all together. What is held is messages: those of clients until they are
// carried out, and those for clients until they are read, and a while longer for a
// client that comes back.
//
// Where there is too much, what is only kept for a client that comes back goes first.
// Then nothing new is begun. A question that is open stays, and so does its answer.
package memory

import (
	"errors"
	"sync"

	"github.com/parley-mcp/parley/hosts/go/serve"
)

// Bound is what may be held, and what is. A nil one bounds nothing.
type Bound struct {
	Bytes serve.Share

	mu    sync.Mutex
	whole int
	users map[string]*account
	turn  int // counts the queues that ended
}

// account is what is held for one user.
type account struct {
	held   int
	queues map[*Queue]bool // that are not closed
}

// Held is how many bytes are held for all users.
func (b *Bound) Held() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.whole
}

// Full says why nothing new may be begun for a user, after what can make room has:
// [serve.ErrShare] or [serve.ErrFull].
func (b *Bound) Full(user string) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.full(user)
}

// Text says that there is no room, and what can be done about it.
func Text(err error) string {
	if errors.Is(err, serve.ErrShare) {
		return "parley-bridge: as much is held for you as may be: read the answers that wait, or end a session, then try again"
	}
	return "parley-bridge: as much is held as may be: try again later"
}

func (b *Bound) full(user string) error {
	mine := 0
	if a := b.users[user]; a != nil {
		mine = a.held
	}
	switch {
	case mine > b.Bytes.Each && b.Bytes.Each < b.Bytes.All:
		return serve.ErrShare
	case b.whole > b.Bytes.All:
		return serve.ErrFull
	}
	return nil
}

// charge adds to what is held for a user, or takes away from it, and makes room.
func (b *Bound) charge(user string, bytes int) {
	if b.users == nil {
		b.users = map[string]*account{}
	}
	a := b.users[user]
	if a == nil {
		a = &account{queues: map[*Queue]bool{}}
		b.users[user] = a
	}
	a.held += bytes
	b.whole += bytes
	if bytes > 0 {
		b.makeRoom(user, a)
	}
	if a.held == 0 && len(a.queues) == 0 {
		delete(b.users, user)
	}
}

// makeRoom drops what can be dropped: of a user who has too much, and, if it is all
// together that have, of those who have most.
func (b *Bound) makeRoom(user string, a *account) {
	if over := a.held - b.Bytes.Each; over > 0 {
		a.drop(over)
	}
	for tried := map[*account]bool{}; b.whole > b.Bytes.All; {
		var most *account
		for _, other := range b.users {
			if !tried[other] && (most == nil || other.held > most.held) {
				most = other
			}
		}
		if most == nil {
			return
		}
		tried[most] = true
		most.drop(b.whole - b.Bytes.All)
	}
}

// drop frees so many bytes, if it can: what loses least first, and of the same kind
// what ended first.
func (a *account) drop(bytes int) {
	for k := range kinds {
		for bytes > 0 {
			var oldest *Queue
			for q := range a.queues {
				if q.has(k) && (oldest == nil || q.since < oldest.since) {
					oldest = q
				}
			}
			if oldest == nil {
				break
			}
			bytes -= oldest.shed(k, bytes)
		}
	}
}

// Lease is what a client's message takes, until all that hold it have dropped it. A nil
// one takes nothing.
type Lease struct {
	bound   *Bound
	user    string
	bytes   int
	holders int
}

// Lease makes one, with one holder.
func (b *Bound) Lease(user string, bytes int) *Lease {
	if b == nil {
		return nil
	}
	l := &Lease{bound: b, user: user, holders: 1}
	l.Grow(bytes)
	return l
}

// Grow adds to what a message takes. It does not fail: the message is there already.
func (l *Lease) Grow(bytes int) {
	if l == nil || bytes == 0 {
		return
	}
	l.bound.mu.Lock()
	defer l.bound.mu.Unlock()
	l.bytes += bytes
	l.bound.charge(l.user, bytes)
}

// Keep adds a holder.
func (l *Lease) Keep() *Lease {
	if l != nil {
		l.bound.mu.Lock()
		defer l.bound.mu.Unlock()
		l.holders++
	}
	return l
}

// Drop takes a holder away.
func (l *Lease) Drop() {
	if l == nil {
		return
	}
	l.bound.mu.Lock()
	defer l.bound.mu.Unlock()
	if l.holders--; l.holders == 0 {
		l.bound.charge(l.user, -l.bytes)
	}
}
