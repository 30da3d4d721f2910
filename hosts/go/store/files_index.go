package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The index says in which order calls were saved, so that a list reads no more
// calls than it shows. It is a folder of trees, in which the name of an empty file
// says when a call was saved: DDDDDDD/DD/DD/DD/DDDDD.ID, 18 digits of microseconds.
// A folder has no more than 100 others, and of calls those of a tenth of a second,
// so that a page reads as many names whatever there is. A tree has all calls, and
// one those of each principal. Those that were created and not saved yet are in
// one without folders: they are as many as run.
//
// The calls themselves are the truth. An entry is made before what it is about,
// and removed after it, so that no crash leaves a call without one; an entry
// without its call is passed over, and removed once nobody has the call. What a
// machine may have lost when it lost its power is made again at its next start.
const (
	indexRoot = ".index"
	indexDir  = indexRoot + "/2" // the layout's number
	treeAll   = "all"
	treeNew   = "new" // saved never
	treeOf    = "of-" // and the principal's tag
)

// entry is one of the index.
type entry struct {
	tree string
	at   int64 // in Unix microseconds
	id   string
}

// name is an entry's place in its tree. Names are in the order of time.
func (e entry) name() string {
	digits := fmt.Sprintf("%018d", e.at)
	if e.tree == treeNew {
		return digits + "." + e.id
	}
	return fmt.Sprintf("%s/%s/%s/%s/%s.%s", digits[:7], digits[7:9], digits[9:11], digits[11:13], digits[13:], e.id)
}

// depth is how many folders there are above the entries of a tree.
func depth(tree string) int {
	if tree == treeNew {
		return 0
	}
	return 4
}

// entries are those of a call that is kept.
func (k kept) entries(id string) []entry {
	entries := []entry{{treeAll, k.at, id}}
	if k.tag != "" {
		entries = append(entries, entry{treeOf + k.tag, k.at, id})
	}
	return entries
}

func (s *Files) indexPath(tree, name string) string {
	return filepath.Join(s.Dir, indexDir, tree, filepath.FromSlash(name))
}

// note makes entries.
func (s *Files) note(entries ...entry) error {
	for _, e := range entries {
		if err := s.noteOne(s.indexPath(e.tree, e.name())); err != nil {
			return fmt.Errorf("store: entering call %s: %w", e.id, err)
		}
	}
	return nil
}

func (s *Files) noteOne(name string) (err error) {
	for range maxTries { // others remove the folders that they leave empty
		err = s.disk.create(name, nil, false)
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := s.disk.makeAll(filepath.Dir(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

// noted reports whether there is an entry.
func (s *Files) noted(e entry) (bool, error) {
	_, err := s.disk.lstat(s.indexPath(e.tree, e.name()))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// forget removes entries, and folders that have none left.
func (s *Files) forget(entries ...entry) error {
	for _, e := range entries {
		name := s.indexPath(e.tree, e.name())
		if err := s.disk.remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("store: taking call %s off the list: %w", e.id, err)
		}
		s.prune(e.tree, path.Dir(e.name()))
	}
	return nil
}

// prune removes a folder of a tree, and those above it, that have nothing in them.
func (s *Files) prune(tree, folder string) {
	if depth(tree) == 0 { // it would be made again for the next call
		return
	}
	for s.disk.remove(s.indexPath(tree, folder)) == nil && folder != "." {
		folder = path.Dir(folder)
	}
}

// walk goes through a tree in the order of time, or against it, from behind a
// name on.
func (s *Files) walk(tree, after string, newest bool) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) { s.walkFrom(tree, "", after, "", newest, yield) }
}

// walkUntil goes through a tree in the order of time, as far as a time in Unix
// microseconds. Of what is later it reads no names.
func (s *Files) walkUntil(tree string, at int64) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		s.walkFrom(tree, "", "", entry{at: max(at, 0)}.name(), false, yield)
	}
}

func (s *Files) walkFrom(tree, folder, after, until string, newest bool, yield func(entry, error) bool) bool {
	names, err := s.disk.names(s.indexPath(tree, folder))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || yield(entry{}, fmt.Errorf("store: reading the index: %w", err))
	}
	if len(names) == 0 {
		s.prune(tree, cmp.Or(folder, "."))
	}
	if newest {
		slices.Reverse(names)
	}
	for _, one := range names {
		name := path.Join(folder, one.Name())
		from := after[:min(len(after), len(name))]
		if until != "" && name[:min(len(until), len(name))] > until[:min(len(until), len(name))] {
			return false
		}
		switch order := cmp.Compare(name, from); {
		case after == "":
		case newest:
			order = -order
			fallthrough
		default:
			if order < 0 || order == 0 && name == after {
				continue
			}
		}
		if strings.Count(name, "/") < depth(tree) {
			if one.IsDir() && !s.walkFrom(tree, name, after, until, newest, yield) {
				return false
			}
			continue
		}
		e, ok := readEntry(tree, name)
		if ok && !one.IsDir() && !yield(e, nil) {
			return false
		}
	}
	return true
}

// readEntry reads a name in a tree. What is not the store's is passed over.
func readEntry(tree, name string) (e entry, ok bool) {
	digits, id, _ := strings.Cut(strings.ReplaceAll(name, "/", ""), ".")
	if len(digits) != 18 || CheckID(id) != nil {
		return e, false
	}
	at := int64(0)
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return e, false
		}
		at = at*10 + int64(c-'0')
	}
	return entry{tree, at, id}, true
}

// walkAll goes through several trees as if they were one.
func (s *Files) walkAll(trees []string, after string, newest bool) iter.Seq2[entry, error] {
	if len(trees) == 1 {
		return s.walk(trees[0], after, newest)
	}
	return func(yield func(entry, error) bool) {
		type row struct {
			next entry
			more func() (entry, error, bool)
		}
		var rows []*row
		for _, tree := range trees {
			more, stop := iter.Pull2(s.walk(tree, after, newest))
			defer stop()
			rows = append(rows, &row{more: more})
		}
		advance := func(r *row) (there bool, err error) {
			r.next, err, there = r.more()
			return there, err
		}
		waiting := rows
		for {
			for _, r := range waiting {
				there, err := advance(r)
				if err != nil {
					yield(entry{}, err)
					return
				}
				if !there {
					rows = slices.DeleteFunc(slices.Clone(rows), func(other *row) bool { return other == r })
				}
			}
			if len(rows) == 0 {
				return
			}
			first := slices.MinFunc(rows, func(a, b *row) int {
				order := cmp.Or(cmp.Compare(a.next.at, b.next.at), strings.Compare(a.next.id, b.next.id))
				if newest {
					return -order
				}
				return order
			})
			if !yield(first.next, nil) {
				return
			}
			waiting = []*row{first}
		}
	}
}
