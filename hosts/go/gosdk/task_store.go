package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"
)

var (
	// ErrNoTask is what a [TaskStore] returns for an id it does not know.
	ErrNoTask = errors.New("gosdk: no such task")

	// ErrTooManyTasks is what a [TaskStore] returns if it has no room.
	ErrTooManyTasks = errors.New("gosdk: too many tasks")
)

// noPrincipal is whose a task is if its call has no principal.
const noPrincipal = "nobody"

// DefaultMaxTasks bounds the memory that clients can take.
const DefaultMaxTasks = 1000

// TaskStore keeps tasks. [NewTaskMemory] has them in this process; one that
// instances share lets any of them answer a poll, take an answer or a
// cancellation, while the one that made the task does its work. (If that one
// ends, the task stays as it is until it expires.)
//
// Methods are called by many goroutines at once. Records given and returned are
// the receiver's: they share nothing with the store that is ever changed.
type TaskStore interface {
	// Create keeps a new task, and may forget those that have expired by the
	// time it was created. It fails with ErrTooManyTasks if there is no room. A
	// task that was created is there for every Load after it.
	Create(ctx context.Context, r *TaskRecord) error

	// Load returns a task, or ErrNoTask.
	Load(ctx context.Context, id string) (*TaskRecord, error)

	// Change has edit change a task, as one atomic step, and adds 1 to its
	// Version. edit may be called several times, each time with the record as it
	// is.
	Change(ctx context.Context, id string, edit func(*TaskRecord)) error

	// Wait is Load, as soon as the task's Version is greater than the given
	// one. It returns the error of a context that ends before.
	Wait(ctx context.Context, id string, version uint64) (*TaskRecord, error)
}

// TaskRecord is a task as it is kept; all of it survives JSON.
type TaskRecord struct {
	ID        string // cannot be guessed
	Principal string // whose it is, "nobody" without a principal
	Version   uint64 // of the record, for [TaskStore.Wait]; at least 1 once it is kept

	Created, Updated time.Time
	Expires          time.Time     // when it is stopped, or forgotten if it is over
	Left             time.Duration // how long it may work on, while it waits for answers

	Page bool // made by a call in the form of SEP-2322's page, see [TaskOptions]

	Status  string // "working", "completed", "failed" or "cancelled"
	Message string // in words for a person
	Cancel  bool   // the client wants it to stop

	Asked   map[string]json.RawMessage // open questions: objects with method and params
	Answers map[string]json.RawMessage // to those that were asked, until the work takes them

	Result json.RawMessage // of a task that has completed
	Error  json.RawMessage // of one that has failed
}

func (r *TaskRecord) clone() *TaskRecord {
	c := *r
	c.Asked, c.Answers = maps.Clone(r.Asked), maps.Clone(r.Answers)
	return &c
}

// NewTaskMemory returns a store in the memory of the process, with room for most
// tasks at a time; zero means [DefaultMaxTasks]. One principal has at most a
// quarter of it, so that no user takes the places of all others; where there are
// no principals, nothing is kept apart. Its tasks end with the process.
func NewTaskMemory(most int) TaskStore {
	if most == 0 {
		most = DefaultMaxTasks
	}
	return &taskMemory{most: most, byID: map[string]*taskEntry{}}
}

type taskMemory struct {
	most int

	mu   sync.Mutex
	byID map[string]*taskEntry
}

type taskEntry struct {
	record  *TaskRecord
	changed chan struct{} // closed by the next change
}

func (m *taskMemory) Create(_ context.Context, r *TaskRecord) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := 0
	for id, e := range m.byID {
		switch {
		case r.Created.After(e.record.Expires):
			delete(m.byID, id)
			close(e.changed)
		case e.record.Principal == r.Principal:
			own++
		}
	}
	if len(m.byID) >= m.most {
		return ErrTooManyTasks
	}
	if r.Principal != noPrincipal && own >= max(1, m.most/4) {
		return fmt.Errorf("%w of one principal", ErrTooManyTasks)
	}
	kept := r.clone()
	kept.Version = 1
	m.byID[r.ID] = &taskEntry{kept, make(chan struct{})}
	return nil
}

func (m *taskMemory) Load(_ context.Context, id string) (*TaskRecord, error) {
	r, _, err := m.look(id)
	return r, err
}

func (m *taskMemory) look(id string) (*TaskRecord, chan struct{}, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.byID[id]
	if e == nil {
		return nil, nil, ErrNoTask
	}
	return e.record.clone(), e.changed, nil
}

func (m *taskMemory) Change(_ context.Context, id string, edit func(*TaskRecord)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.byID[id]
	if e == nil {
		return ErrNoTask
	}
	edit(e.record)
	e.record.Version++
	close(e.changed)
	e.changed = make(chan struct{})
	return nil
}

func (m *taskMemory) Wait(ctx context.Context, id string, version uint64) (*TaskRecord, error) {
	for {
		r, changed, err := m.look(id)
		if err != nil || r.Version > version {
			return r, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
