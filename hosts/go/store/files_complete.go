package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
)

// complete makes the index of calls that have none: those that an earlier version
// kept, with an index of its own or with none, and those whose entries went when
// the machine lost its power.
func (s *Files) complete() error {
	mark, err := s.completeMark()
	if err != nil {
		return err
	}
	if _, err := s.disk.lstat(mark); err == nil {
		return nil
	}
	ids, err := s.ids()
	if err != nil {
		return err
	}
	if _, err := s.disk.stat(s.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil // and nothing is made by looking
	}
	for _, id := range ids {
		files, err := s.scan(id)
		if err != nil {
			return err
		}
		newest := files.newest()
		if newest == nil {
			if err := s.note(entry{treeNew, s.clock.now().UnixMicro(), id}); err != nil {
				return err
			}
			continue
		}
		k, _, err := s.headOf(id, newest)
		if err == nil && k.at == 0 {
			k.at, err = s.modified(id, newest)
		}
		if errors.Is(err, fs.ErrNotExist) { // it was done or taken on by now
			continue
		}
		if err != nil {
			return err
		}
		if err := s.note(k.entries(id)...); err != nil {
			return err
		}
	}
	if err := s.removeFirstIndex(); err != nil {
		return fmt.Errorf("store: removing the index of another version: %w", err)
	}
	return s.noteOne(mark)
}

// removeFirstIndex removes the trees of the first layout, which were where the
// numbers of the others are.
func (s *Files) removeFirstIndex() error {
	root := filepath.Join(s.Dir, indexRoot)
	names, err := s.disk.names(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, one := range names {
		if _, noNumber := strconv.Atoi(one.Name()); noNumber != nil {
			err = errors.Join(err, s.disk.removeAll(filepath.Join(root, one.Name())))
		}
	}
	return err
}

// completeMark is the file that says that the index was complete since the
// machine was started.
func (s *Files) completeMark() (string, error) {
	started, err := boot()
	if err != nil {
		return "", fmt.Errorf("store: reading the index: %w", err)
	}
	sum := sha256.Sum256([]byte(started))
	return filepath.Join(s.Dir, indexDir, "complete-"+hex.EncodeToString(sum[:8])), nil
}

// headOf reads what stands before a snapshot. Where that cannot be made out, flaw
// says why.
func (s *Files) headOf(id string, file *callFile) (k kept, flaw, err error) {
	data, err := s.disk.head(s.path(id, file.name), maxHead)
	if err != nil {
		return k, nil, fmt.Errorf("store: reading call %s: %w", id, err)
	}
	k, flaw = readKept(data)
	return k, flaw, nil
}

// modified is when a file was written, in Unix microseconds: the time of a
// snapshot that says none.
func (s *Files) modified(id string, file *callFile) (int64, error) {
	info, err := s.disk.lstat(s.path(id, file.name))
	if err != nil {
		return 0, fmt.Errorf("store: reading call %s: %w", id, err)
	}
	return max(info.ModTime().UnixMicro(), 1), nil
}
