package cache

import (
	"container/list"
	"context"
	"strings"
	"sync"
	"time"
)

// Memory is a [Store] that lives as long as its process. Of what it has no room
// for it drops what was not used for longest. The zero value is ready. It is
// safe for concurrent use, and by many sessions.
type Memory struct {
	MaxEntries int // zero means 1,000
	MaxBytes   int // of keys and entries together; zero means 16 MiB

	mu      sync.Mutex
	entries map[string]*list.Element // of kept
	used    list.List                // the latest first
	bytes   int
}

type kept struct {
	key   string
	entry []byte
	until time.Time
}

func (k *kept) size() int { return len(k.key) + len(k.entry) }

// Get implements [Store].
func (m *Memory) Get(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[key]
	if e == nil {
		return nil, nil
	}
	k := e.Value.(*kept)
	if !time.Now().Before(k.until) {
		m.drop(e)
		return nil, nil
	}
	m.used.MoveToFront(e)
	return k.entry, nil
}

// Set implements [Store].
func (m *Memory) Set(_ context.Context, key string, entry []byte, until time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.entries[key]; e != nil {
		m.drop(e)
	}
	k := &kept{key, entry, until}
	if k.size() > or(m.MaxBytes, 16<<20) {
		return nil
	}
	if m.entries == nil {
		m.entries = map[string]*list.Element{}
	}
	m.entries[key] = m.used.PushFront(k)
	m.bytes += k.size()
	for len(m.entries) > or(m.MaxEntries, 1000) || m.bytes > or(m.MaxBytes, 16<<20) {
		m.drop(m.used.Back())
	}
	return nil
}

// Forget implements [Store].
func (m *Memory) Forget(_ context.Context, prefix string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, e := range m.entries {
		if strings.HasPrefix(key, prefix) {
			m.drop(e)
		}
	}
	return nil
}

func (m *Memory) drop(e *list.Element) {
	k := m.used.Remove(e).(*kept)
	delete(m.entries, k.key)
	m.bytes -= k.size()
}

func or(set, standard int) int {
	if set <= 0 {
		return standard
	}
	return set
}
