//go:build unix

// Package emacs_test has a person at a terminal answer real servers' questions
// in a real Emacs.
package emacs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
)

func TestMain(m *testing.M) { editortest.Main(m) }

// desk is what Emacsen of one test share: a server, parked calls, folders.
type desk struct {
	t      *testing.T
	url    string
	dir    string
	key    string
	opened string // the file that pages' addresses go to
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	editortest.Need(t, "emacs", "tmux")
	dir := t.TempDir()
	return &desk{t: t, url: storytest.Start(t), dir: dir, key: editortest.KeyFile(t), opened: filepath.Join(dir, "opened")}
}

// start starts an Emacs with the package.
func (d *desk) start() *editortest.Terminal {
	d.t.Helper()
	folder, err := filepath.Abs(".")
	if err != nil {
		d.t.Fatal(err)
	}
	quote := editortest.Quote
	init := editortest.File(d.t, "init.el", `
(add-to-list 'load-path %s)
(require 'parley)
(setq parley-program '(%s)
      parley-state-directory %s
      parley-key-file %s
      parley-servers '((:label "Work items" :url %s))
      parley-roots '(%s)
      parley-model (cons "a-model" (lambda (_request) "Colosseum, Forum, Pantheon."))
      browse-url-browser-function (lambda (url &rest _) (write-region url nil %s nil 'quiet))
      use-short-answers t
      enable-recursive-minibuffers t
      inhibit-startup-screen t)
(menu-bar-mode -1)
(setq-default mode-line-format '("<" (:eval (parley-mode-line)) ">"))
(setq mode-line-format (default-value 'mode-line-format))
`, quote(folder), quote(editortest.Program(d.t)), quote(filepath.Join(d.dir, "parked")), quote(d.key), quote(d.url), quote(d.dir), quote(d.opened))
	w := editortest.Start(d.t, "env", "HOME="+d.home(), "emacs", "-nw", "--no-site-file", "--no-splash", "-l", init)
	w.Sees("This buffer is for text", "<>")
	return w
}

// home is a folder of a user who has nothing but compiles nothing, either: many
// an Emacs that does so at once is in the way of the others.
func (d *desk) home() string {
	d.t.Helper()
	early := filepath.Join(d.dir, "home", ".emacs.d", "early-init.el")
	if err := os.MkdirAll(filepath.Dir(early), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(early, []byte("(setq native-comp-deferred-compilation nil native-comp-jit-compilation nil)\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return filepath.Join(d.dir, "home")
}

// do runs a command by its name.
func do(w *editortest.Terminal, command string) {
	w.Press("M-x")
	w.Sees("\nM-x")
	enter(w, command)
}

func enter(w *editortest.Terminal, text string) {
	w.Type(text)
	w.Press("Enter")
}

// call begins a call of a tool whose arguments are the values, asked for one by
// one with the labels.
func call(w *editortest.Terminal, tool string, labelsAndValues ...string) {
	do(w, "parley-call")
	w.Sees("\nServer (or URL):")
	enter(w, "Work items")
	w.Sees("\nTool of Work items:")
	enter(w, tool)
	for i := 0; i < len(labelsAndValues); i += 2 {
		w.Sees("\n" + labelsAndValues[i] + ":")
		enter(w, labelsAndValues[i+1])
	}
}

func callDuplicate(w *editortest.Terminal) {
	call(w, "update_work_item", "id", "4711", "state", "Resolved")
}
