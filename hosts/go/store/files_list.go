package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"strings"
	"time"
)

// List implements [Store].
func (s *Files) List(ctx context.Context, q Query) iter.Seq2[Parked, error] {
	return func(yield func(Parked, error) bool) {
		if err := s.list(ctx, q, func(call Parked) bool { return yield(call, nil) }); err != nil {
			yield(Parked{}, err)
		}
	}
}

func (s *Files) list(ctx context.Context, q Query, yield func(Parked) bool) error {
	at, id, err := q.Start()
	if err != nil {
		return err
	}
	after := ""
	if id != "" {
		after = entry{at: at.UnixMicro(), id: id}.name()
	}
	trees, err := s.trees(ctx, q)
	if err == nil {
		err = s.sweep()
	}
	if err != nil {
		return err
	}
	count := 0
	for e, err := range s.walkAll(trees, after, q.Newest) {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !strings.HasPrefix(e.id, q.Prefix):
			continue
		}
		call, found, err := s.look(e)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if count++; !yield(call) || count == q.Limit {
			return nil
		}
	}
	return nil
}

// trees are those of the index that a query is about, once the index is whole.
func (s *Files) trees(ctx context.Context, q Query) ([]string, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err := errors.Join(s.sealing().Check(), s.usable()); err != nil {
		return nil, err
	}
	if err := s.complete(); err != nil || q.Principal == "" {
		return []string{treeAll}, err
	}
	trees, err := s.sealing().Tags(q.Principal)
	for i, tag := range trees {
		trees[i] = treeOf + tag
	}
	return trees, err
}

// look tells what a list tells of a call, if it is the one that an entry is about.
// What nobody has any more and is of no use is cleared away: entries that are
// left of what is gone, and calls that died before their first Save.
func (s *Files) look(e entry) (call Parked, found bool, err error) {
	for {
		files, err := s.scan(e.id)
		if err != nil {
			return call, false, err
		}
		taken, unknown := s.held(e.id, files)
		free := !taken && unknown == nil
		newest := files.newest()
		if newest == nil {
			// Where there is nothing, whoever made the entry may be about to make
			// the rest.
			if free && (len(files) > 0 || e.tree != treeNew || s.clock.now().Sub(time.UnixMicro(e.at)).Abs() > s.lease()) {
				s.remove(e.id, files)
				if s.empty(e.id) == nil {
					s.forget(e)
				}
			}
			return call, false, nil
		}
		k, flaw, err := s.headOf(e.id, newest)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was done or taken on by now
			continue
		case err != nil:
			return call, false, err
		case e.tree == treeNew, k.at != 0 && k.at != e.at:
			another, err := s.noted(entry{treeAll, k.at, e.id})
			if err != nil {
				return call, false, err
			}
			if another || e.tree == treeNew {
				if free {
					s.forget(e)
				}
				return call, false, nil
			}
			if err := s.note(k.entries(e.id)...); err != nil { // its file was put there by hand
				return call, false, err
			}
		}
		call = Parked{ID: e.id, Time: time.UnixMicro(e.at), Taken: !free, Problem: flaw}
		if flaw == nil {
			call.About, call.Problem = s.sealing().OpenAbout(e.id, k.about)
		}
		return call, true, nil
	}
}

// maxSwept bounds how many calls a list clears away before it begins.
const maxSwept = 100

// sweep removes calls that have stood for as long as they are kept, and what is
// left of those that died before they were saved.
func (s *Files) sweep() error {
	count := 0
	for e, err := range s.walk(treeNew, "", false) {
		if err != nil {
			return err
		}
		if _, _, err := s.look(e); err != nil {
			return err
		}
		if count++; count == maxSwept {
			break
		}
	}
	count = 0
	over := s.clock.now().Add(-cmp.Or(s.Keep, DefaultKeep)).UnixMicro()
	for e, err := range s.walkUntil(treeAll, over) {
		if err != nil || !s.expired(e.at) {
			return err
		}
		call, found, err := s.look(e)
		if err != nil {
			return err
		}
		if found && !call.Taken {
			err := s.discard(context.Background(), e.id, func(files callFiles) error {
				newest := files.newest()
				if newest == nil {
					return ErrNotFound
				}
				k, _, err := s.headOf(e.id, newest)
				if err == nil && k.at != 0 && k.at != e.at {
					err = ErrTaken // and given back meanwhile
				}
				return err
			})
			if err != nil && !errors.Is(err, ErrTaken) && !errors.Is(err, ErrNotFound) {
				return err
			}
		}
		if count++; count == maxSwept {
			break
		}
	}
	return nil
}

// expired reports whether a call that was saved at a time is not kept any more.
func (s *Files) expired(at int64) bool {
	return s.clock.now().Sub(time.UnixMicro(at)) >= cmp.Or(s.Keep, DefaultKeep)
}

// Watch implements [Store].
func (s *Files) Watch(ctx context.Context, q Query) iter.Seq2[Change, error] {
	return follow(ctx, watched{
		seen: func() (map[string]int64, error) {
			trees, err := s.trees(ctx, q)
			if err == nil {
				err = s.sweep()
			}
			if err != nil {
				return nil, err
			}
			seen := map[string]int64{}
			for e, err := range s.walkAll(trees, "", false) {
				if err != nil {
					return nil, err
				}
				if strings.HasPrefix(e.id, q.Prefix) {
					seen[e.id] = e.at
				}
			}
			return seen, nil
		},
		look: s.now,
		wait: func(stop <-chan struct{}) {
			select {
			case <-stop:
			case <-time.After(cmp.Or(s.Poll, time.Second)):
			}
		},
	})
}

// now is a call as it is, with its time, which is 0 if it is gone.
func (s *Files) now(id string) (call Parked, at int64, err error) {
	for {
		files, err := s.scan(id)
		if err != nil {
			return call, 0, err
		}
		newest := files.newest()
		if newest == nil {
			return call, 0, nil
		}
		k, _, err := s.headOf(id, newest)
		if err == nil && k.at == 0 {
			k.at, err = s.modified(id, newest)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		found := false
		if err == nil {
			call, found, err = s.look(entry{treeAll, k.at, id})
		}
		if found || err != nil {
			return call, k.at, err
		}
	}
}
