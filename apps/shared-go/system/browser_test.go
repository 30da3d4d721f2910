package system_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/system"
)

// TestBrowser has the commands of BROWSER tried in turn, each with the address
// as one argument.
func TestBrowser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("BROWSER is Unix's")
	}
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	program := filepath.Join(dir, "browser")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s|' \"$@\" >"+opened+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for list, want := range map[string]string{
		program:                           "http://a/?b=c d|",
		"/none:" + program + " --new":     "--new|http://a/?b=c d|",
		"false:" + program + " --to=%s x": "--to=http://a/?b=c d|x|",
	} {
		os.Remove(opened)
		t.Setenv("BROWSER", list)
		if err := system.OpenPage(nil, "http://a/?b=c d"); err != nil {
			t.Fatalf("%s: %v", list, err)
		}
		if got, _ := os.ReadFile(opened); string(got) != want {
			t.Errorf("%s: got %q, want %q", list, got, want)
		}
	}
	t.Setenv("BROWSER", "/none")
	if system.OpenPage(nil, "http://a/") == nil {
		t.Error("a browser that is not there has opened a page")
	}
	if err := system.OpenPage([]string{program, "-x"}, "http://a/"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(opened); string(got) != "-x|http://a/|" {
		t.Errorf("a command: got %q", got)
	}
}
