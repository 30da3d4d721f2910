package oauth

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"
)

// Store keeps accounts and registrations. What is saved holds tokens and client
// secrets: it must not be readable for others. Its methods may be called from
// several goroutines.
type Store interface {
	// Load returns a copy of what was saved under a key, nil if there is
	// nothing.
	Load(ctx context.Context, key string) ([]byte, error)

	// Save replaces what is under a key, as a whole or not at all. Nil removes
	// it. The value is not retained.
	Save(ctx context.Context, key string, value []byte) error

	// Keys are the keys that have something, sorted.
	Keys(ctx context.Context) ([]string, error)

	// Lock waits until nobody else has the key's lock, in this process or any
	// other that uses the store.
	Lock(ctx context.Context, key string) (unlock func(), err error)
}

// Memory is a [Store] that ends with the process. Its zero value is ready for
// use.
type Memory struct {
	mu     sync.Mutex
	values map[string][]byte
	locks  map[string]chan struct{}
}

// Load implements [Store].
func (m *Memory) Load(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.values[key]), nil
}

// Save implements [Store].
func (m *Memory) Save(_ context.Context, key string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string][]byte{}
	}
	if value == nil {
		delete(m.values, key)
	} else {
		m.values[key] = bytes.Clone(value)
	}
	return nil
}

// Keys implements [Store].
func (m *Memory) Keys(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.values)), nil
}

// Lock implements [Store].
func (m *Memory) Lock(ctx context.Context, key string) (func(), error) {
	m.mu.Lock()
	if m.locks == nil {
		m.locks = map[string]chan struct{}{}
	}
	lock := m.locks[key]
	if lock == nil {
		lock = make(chan struct{}, 1)
		m.locks[key] = lock
	}
	m.mu.Unlock()
	select {
	case lock <- struct{}{}:
		return func() { <-lock }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
