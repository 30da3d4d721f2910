package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// What may pass is tried again, what does not ends a step at once, and what is
// told is the last error that says what there was.
func TestTries(t *testing.T) {
	passes, final, gone := errors.New("passes"), errors.New("final"), errors.New("nobody waits any more")
	for name, tt := range map[string]struct {
		errs   []error // of the tries; after the last of them each waits until its time is up
		within time.Duration
		given  bool // up by whoever waits, in the last try
		want   string
		tries  int // 0 where a slow machine decides
	}{
		"at once":             {[]error{nil}, time.Hour, false, "", 1},
		"after a moment":      {[]error{passes, passes, nil}, time.Hour, false, "", 3},
		"refused":             {[]error{passes, final, nil}, time.Hour, false, "explained: final", 2},
		"time is up":          {[]error{passes}, 50 * time.Millisecond, false, "explained: passes", 0},
		"time is up at first": {nil, time.Millisecond, false, "explained: context deadline exceeded", 1},
		"given up":            {[]error{passes}, time.Hour, true, "nobody waits any more", 2},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			tries := 0
			err := store.Tries{
				Within:  tt.within,
				Passes:  func(err error) bool { return err != final },
				Explain: func(err error) error { return fmt.Errorf("explained: %w", err) },
			}.Make(ctx, func(within context.Context) error {
				tries++
				if tries <= len(tt.errs) {
					return tt.errs[tries-1]
				}
				if tt.given {
					cancel(gone)
				}
				<-within.Done()
				return within.Err()
			})
			if err != nil && tt.given {
				ended := store.Tries{Within: tt.within}.Make(ctx, func(context.Context) error { panic("nobody waits") })
				wantErr(t, "a step that nobody waits for", ended, gone)
			}
			if said := fmt.Sprint(err); said != tt.want && (err != nil || tt.want != "") || tt.tries != 0 && tries != tt.tries {
				t.Errorf("got %v after %d tries, want %q after %d", err, tries, tt.want, tt.tries)
			}
		})
	}
}
