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
	"time"
)

// A call is a folder id.call, so that what is done to one call does not cost
// more where there are many.
const folderSuffix = ".call"

// callFile is one file of a call's folder, named generation.kind. Each taker of
// a call has a generation of its own, one more than the last, and writes no
// other's files. The first is the time of the taking: nobody who knows the files
// of a call that was done, and comes late, meets one of their names again where
// the id is in use once more.
type callFile struct {
	name       string
	generation int
	kind       string
}

const (
	kindCall    = "call" // a snapshot
	kindLock    = "lock" // who has, or had, this generation
	kindTemp    = "tmp"  // what is to be one of them: generation.token.tmp
	kindForeign = ""     // no file, but it has the name of one
)

// tooHigh is a generation that no call reaches before the year 2255. A file that
// is named so, or higher, is not the store's.
const tooHigh = 1 << 53

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

// last is the generation of the last taker.
func (files callFiles) last() int {
	for i := len(files) - 1; i >= 0; i-- {
		if files[i].kind == kindCall || files[i].kind == kindLock {
			return files[i].generation
		}
	}
	return 0
}

// next is a generation that has no name in use, nor had one.
func (files callFiles) next(now time.Time) int {
	if len(files) == 0 {
		return int(max(now.UnixMicro(), 1)) // more than any that was here: to take a call lasts longer than a microsecond
	}
	return files[len(files)-1].generation + 1
}

// of are the files of some kinds among them.
func (files callFiles) of(kinds ...string) (some callFiles) {
	for _, file := range files {
		if slices.Contains(kinds, file.kind) {
			some = append(some, file)
		}
	}
	return some
}

func (files callFiles) below(generation int) callFiles {
	n, _ := slices.BinarySearchFunc(files, generation, func(f callFile, g int) int { return cmp.Compare(f.generation, g) })
	return files[:n]
}

// ids are those that have a folder.
func (s *Files) ids() (ids []string, err error) {
	entries, err := s.disk.names(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store: reading the store: %w", err)
	}
	for _, entry := range entries {
		if id, ok := strings.CutSuffix(entry.Name(), folderSuffix); ok && entry.IsDir() && CheckID(id) == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// scan reads the names of a call's files; there are none where there is no call.
func (s *Files) scan(id string) (files callFiles, err error) {
	info, err := s.disk.lstat(s.folder(id))
	var entries []os.DirEntry
	if err == nil {
		if !info.IsDir() {
			return nil, fmt.Errorf("store: %s is in the way of call %s, and is not the store's: move it away", s.folder(id), id)
		}
		entries, err = s.disk.names(s.folder(id))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store: reading call %s: %w", id, err)
	}
	for _, entry := range entries {
		if file, ok := parseName(entry.Name()); ok {
			if !entry.Type().IsRegular() {
				file.kind = kindForeign
			}
			files = append(files, file)
		}
	}
	slices.SortStableFunc(files, func(a, b callFile) int { return cmp.Compare(a.generation, b.generation) })
	return files, nil
}

// remove removes files in their order.
func (s *Files) remove(id string, files callFiles) error {
	for _, file := range files {
		if file.kind == kindForeign {
			continue
		}
		if err := s.disk.remove(s.path(id, file.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("store: removing call %s: %w", id, err)
		}
	}
	return nil
}

// empty removes a call's folder if nothing is left in it. Whoever is about to
// make a file there makes the folder again.
func (s *Files) empty(id string) error {
	err := s.disk.remove(s.folder(id))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) { // which is what one with files in it says
		return nil
	}
	return err
}

func (s *Files) folder(id string) string { return filepath.Join(s.Dir, id+folderSuffix) }

func (s *Files) path(id, name string) string { return filepath.Join(s.folder(id), name) }

func fileName(generation int, kind string) string { return fmt.Sprintf("%d.%s", generation, kind) }

func parseName(name string) (file callFile, ok bool) {
	number, kind, _ := strings.Cut(name, ".")
	generation, err := strconv.Atoi(number)
	if err != nil || generation < 1 || generation >= tooHigh || name != fileName(generation, kind) {
		return callFile{}, false
	}
	if token, isTemp := strings.CutSuffix(kind, "."+kindTemp); isTemp && token != "" && !strings.Contains(token, ".") {
		kind = kindTemp
	}
	return callFile{name, generation, kind}, kind == kindCall || kind == kindLock || kind == kindTemp
}
