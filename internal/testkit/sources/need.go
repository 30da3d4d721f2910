package sources

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Run runs a package's tests, which need the modules in wasm/, for TestMain. If
// one is stale it says so and runs none. It returns the exit code.
func Run(m *testing.M) int {
	if err := Check(); err != nil {
		fmt.Println(err)
		return 1
	}
	return m.Run()
}

// Check returns an error that says what to do if a module is stale. It finds the
// library from the working directory upwards.
func Check() error {
	root, err := Root()
	if err != nil {
		return err
	}
	stale, err := Stale(root)
	if err == nil && stale != "" {
		err = errors.New(stale)
	}
	return err
}

// Root returns the library's folder: the first one with its manifest, from the
// working directory upwards.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "wasm", "manifest.json")); err == nil {
			return folder, nil
		}
		up := filepath.Dir(folder)
		if up == folder {
			return "", errors.New("there is no wasm/manifest.json above the working directory")
		}
		folder = up
	}
}
