package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// knownVersions is the file of --known: which protocol version each server
// spoke last, so that it need not be found out again. Servers stand in it as
// hashes, because their addresses and commands may hold secrets.
type knownVersions struct {
	name string
	key  string // of the server at hand
}

func newKnownVersions(name, peer string) *knownVersions {
	return &knownVersions{name, fmt.Sprintf("%x", sha256.Sum256([]byte(peer)))[:32]}
}

// version is what the server spoke last, "" if that is not known.
func (k *knownVersions) version() (string, error) {
	versions, err := k.read()
	return versions[k.key], err
}

func (k *knownVersions) read() (versions map[string]string, err error) {
	text, err := os.ReadFile(k.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("--known: %w", err)
	}
	if len(bytes.TrimSpace(text)) > 0 && json.Unmarshal(text, &versions) != nil {
		return nil, fmt.Errorf("--known: %s is not a file that parley wrote", k.name)
	}
	return versions, nil
}

// keep remembers a version. The file is replaced as a whole, so that whoever
// reads it meanwhile finds the one before.
func (k *knownVersions) keep(version string) error {
	versions, err := k.read()
	if err != nil || versions[k.key] == version {
		return err
	}
	if versions == nil {
		versions = map[string]string{}
	}
	versions[k.key] = version
	text, err := json.MarshalIndent(versions, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(k.name), ".known-*") // 0600
	if err == nil {
		_, err = file.Write(append(text, '\n'))
		err = errors.Join(err, file.Close())
		if err == nil {
			err = os.Rename(file.Name(), k.name)
		}
		if err != nil {
			os.Remove(file.Name())
		}
	}
	if err != nil {
		return fmt.Errorf("--known: %w", err)
	}
	return nil
}
