package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/parley-mcp/parley/internal/testkit/sources"
)

// coldStart measures a process from its first line to the end of its first call of
// two legs, by time and by processor time of all its threads.
func (t *turnTaker) coldStart() error {
	root, err := sources.Root()
	if err != nil {
		return err
	}
	cold := func(name, of string) client {
		return client{name: name, of: of, calls: 1, foreign: true, turn: func(int) (spent, error) {
			out, err := exec.Command("node", filepath.Join(root, "hosts", "js", "bench", "cold.js"), name, scriptText()).Output()
			if err != nil {
				return spent{}, err
			}
			var milliseconds, cpu float64
			_, err = fmt.Sscan(string(out), &milliseconds, &cpu)
			return spent{time.Duration(milliseconds * float64(time.Millisecond)), time.Duration(cpu * float64(time.Millisecond))}, err
		}}
	}
	return t.take("cold start in Node", []client{cold("session", "sdk"), cold("sdk", "")})
}

// bundles are the sizes of what a browser loads.
func (t *turnTaker) bundles() error {
	root, err := sources.Root()
	if err != nil {
		return err
	}
	out, err := exec.Command("node", filepath.Join(root, "hosts", "js", "bench", "bundle.js")).Output()
	if err != nil {
		return err
	}
	var sizes []struct {
		Client string
		Sizes  map[string]int // by how they are compressed
	}
	if err := json.Unmarshal(out, &sizes); err != nil {
		return err
	}
	for _, compressed := range []string{"minified", "gzip", "brotli"} {
		var rows []*Row
		for _, s := range sizes {
			row := &Row{Table: "browser bundle, " + compressed, Client: s.Client, Bytes: s.Sizes[compressed]}
			if s.Client != "sdk" {
				row.Of = "sdk"
			}
			rows = append(rows, row)
		}
		t.report.add(rows)
	}
	return nil
}
