package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// listener is the connection that notifications come over, for all who watch.
type listener struct {
	mu   sync.Mutex
	ears map[*ear]bool
	stop context.CancelFunc // nil where nobody listens
}

// ear is one who listens.
type ear struct {
	heard  chan struct{} // holds one when there is something to see
	broken chan struct{} // closed when nothing will be heard any more
}

// listen has somebody hear of changes from now on, until they leave.
func (s *Store) listen(ctx context.Context) (e *ear, leave func(), err error) {
	l := &s.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop == nil {
		var conn *pgx.Conn
		err := s.try(ctx, func(ctx context.Context) (err error) {
			config := s.address.config.Copy().ConnConfig
			if conn, err = pgx.ConnectConfig(ctx, config); err != nil {
				return err
			}
			if _, err = conn.Exec(ctx, "listen "+s.channel()); err != nil {
				conn.Close(context.WithoutCancel(ctx))
			}
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		var listening context.Context
		listening, l.stop = context.WithCancel(s.ending)
		l.ears = map[*ear]bool{}
		ears := l.ears
		s.chores.Go(func() { s.hear(listening, conn, ears) })
	}
	e = &ear{make(chan struct{}, 1), make(chan struct{})}
	ears := l.ears
	ears[e] = true
	return e, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(ears, e); len(ears) == 0 && l.stop != nil && len(l.ears) == 0 {
			l.stop()
			l.stop = nil
		}
	}, nil
}

// hear passes notifications on, until the connection breaks or nobody is left.
func (s *Store) hear(ctx context.Context, conn *pgx.Conn, ears map[*ear]bool) {
	defer conn.Close(context.Background())
	l := &s.listener
	for {
		_, err := conn.WaitForNotification(ctx)
		l.mu.Lock()
		for e := range ears {
			if err != nil {
				close(e.broken)
				delete(ears, e)
				continue
			}
			select {
			case e.heard <- struct{}{}:
			default:
			}
		}
		if err != nil && ctx.Err() == nil { // the next who listens begins anew
			l.stop()
			l.stop = nil
		}
		l.mu.Unlock()
		if err != nil {
			return
		}
	}
}
