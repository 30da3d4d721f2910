package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/parley-mcp/parley/hosts/go/internal/durable"
)

// disk is what the store asks of the file system, a call of the system each,
// so that tests can count them and have any of them fail. The zero value is the
// real one.
type disk struct {
	// before, if not nil, is called before each of them; what it returns is how
	// it fails.
	before func(op, path string) error
}

func (d disk) do(op, path string, work func() error) error {
	if d.before != nil {
		if err := d.before(op, path); err != nil {
			return &fs.PathError{Op: op, Path: path, Err: err}
		}
	}
	return work()
}

func (d disk) names(path string) (entries []os.DirEntry, err error) {
	err = d.do("readdir", path, func() (err error) { entries, err = os.ReadDir(path); return err })
	return entries, err
}

func (d disk) stat(path string) (info fs.FileInfo, err error) {
	err = d.do("stat", path, func() (err error) { info, err = os.Stat(path); return err })
	return info, err
}

func (d disk) lstat(path string) (info fs.FileInfo, err error) {
	err = d.do("lstat", path, func() (err error) { info, err = os.Lstat(path); return err })
	return info, err
}

func (d disk) read(path string) (data []byte, err error) {
	err = d.do("read", path, func() (err error) { data, err = os.ReadFile(path); return err })
	return data, err
}

// head reads a file's first bytes, at most so many.
func (d disk) head(path string, most int) (data []byte, err error) {
	err = d.do("read", path, func() error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		data, err = io.ReadAll(io.LimitReader(f, int64(most)))
		return err
	})
	return data, err
}

// create makes a file, readable by its owner only, and removes it if it cannot
// be filled. Whatever has the name already, a symbolic link too, it neither
// follows nor changes: that is [fs.ErrExist].
func (d disk) create(path string, data []byte, sync bool) error {
	var f *os.File
	err := d.do("create", path, func() (err error) {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	err = d.do("write", path, func() error { _, err := f.Write(data); return err })
	if err == nil && sync {
		err = d.do("sync", path, f.Sync)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		d.remove(path)
	}
	return err
}

func (d disk) link(from, to string) error {
	return d.do("link", to, func() error { return os.Link(from, to) })
}

func (d disk) rename(from, to string) error {
	return d.do("rename", to, func() error { return os.Rename(from, to) })
}

func (d disk) remove(path string) error {
	return d.do("remove", path, func() error { return os.Remove(path) })
}

func (d disk) removeAll(path string) error {
	return d.do("removeall", path, func() error { return os.RemoveAll(path) })
}

func (d disk) touch(path string, now time.Time) error {
	return d.do("utimes", path, func() error { return os.Chtimes(path, now, now) })
}

// makeAll makes a folder and those above it. Where somebody removes one that it
// found, or has just made, that is [fs.ErrNotExist].
func (d disk) makeAll(path string) error {
	err := d.do("mkdir", path, func() error { return os.MkdirAll(path, 0o700) })
	if errors.Is(err, fs.ErrExist) { // it was there, and then it was not
		return &fs.PathError{Op: "mkdir", Path: path, Err: fs.ErrNotExist}
	}
	return err
}

func (d disk) syncDir(path string) error {
	return d.do("syncdir", path, func() error { return durable.SyncDir(path) })
}
