package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// callFile is one file of a call, named id.generation.kind. Each taker of a
// call has a generation of its own, one more than the last, and writes no
// other's files.
type callFile struct {
	name       string
	generation int
	kind       string
}

const (
	kindCall = "call" // a snapshot
	kindLock = "lock" // who has, or had, this generation
	kindTemp = "tmp"  // a snapshot being written
)

// callFiles are the files of one call, lowest generation first.
type callFiles []callFile

// newest is the file of the last snapshot, nil if there is none.
func (files callFiles) newest() *callFile {
	for i := len(files) - 1; i >= 0; i-- {
		if files[i].kind == kindCall {
			return &files[i]
		}
	}
	return nil
}

func (files callFiles) highest() int {
	if len(files) == 0 {
		return 0
	}
	return files[len(files)-1].generation
}

// locks are the lock files among them.
func (files callFiles) locks() (locks callFiles) {
	for _, file := range files {
		if file.kind == kindLock {
			locks = append(locks, file)
		}
	}
	return locks
}

func (files callFiles) below(generation int) callFiles {
	n, _ := slices.BinarySearchFunc(files, generation, func(f callFile, g int) int { return cmp.Compare(f.generation, g) })
	return files[:n]
}

// scan reads the names of one call's files, or of all where id is "".
func (s *Files) scan(id string) (map[string]callFiles, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store: reading the store: %w", err)
	}
	calls := map[string]callFiles{}
	for _, entry := range entries {
		of, file, ok := parseName(entry.Name())
		if ok && entry.Type().IsRegular() && (id == "" || of == id) {
			calls[of] = append(calls[of], file)
		}
	}
	for _, files := range calls {
		slices.SortFunc(files, func(a, b callFile) int { return cmp.Compare(a.generation, b.generation) })
	}
	return calls, nil
}

func (s *Files) scanCall(id string) (callFiles, error) {
	calls, err := s.scan(id)
	return calls[id], err
}

// remove removes files in their order: whatever stops it, the newest snapshot
// is the last to go.
func (s *Files) remove(files callFiles) error {
	for _, file := range files {
		if err := os.Remove(s.path(file.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("store: removing a call: %w", err)
		}
	}
	return nil
}

func (s *Files) path(name string) string { return filepath.Join(s.Dir, name) }

func fileName(id string, generation int, kind string) string {
	return fmt.Sprintf("%s.%d.%s", id, generation, kind)
}

func parseName(name string) (id string, file callFile, ok bool) {
	parts := strings.Split(name, ".")
	if len(parts) != 3 || checkID(parts[0]) != nil {
		return "", callFile{}, false
	}
	generation, err := strconv.Atoi(parts[1])
	if err != nil || generation < 1 || name != fileName(parts[0], generation, parts[2]) {
		return "", callFile{}, false
	}
	kind := parts[2]
	return parts[0], callFile{name, generation, kind}, kind == kindCall || kind == kindLock || kind == kindTemp
}

func checkID(id string) error {
	ok := len(id) >= 1 && len(id) <= 64
	for _, c := range []byte(id) {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')
	}
	if !ok {
		return errors.New("store: the id of a call is 1 to 64 of A-Z a-z 0-9 _ -")
	}
	return nil
}
