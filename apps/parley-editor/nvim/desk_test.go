//go:build unix

// Package nvim_test has a person at a terminal answer real servers' questions
// in a real Neovim.
package nvim_test

import (
	"path/filepath"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
	"github.com/parley-mcp/parley/apps/parley-editor/editortest"
)

func TestMain(m *testing.M) { editortest.Main(m) }

// desk is what Neovims of one test share: a server, parked calls, folders.
type desk struct {
	t      *testing.T
	url    string
	dir    string
	key    string
	opened string // the file that pages' addresses go to
	model  string // what the model says
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	editortest.Need(t, "nvim", "tmux")
	dir := t.TempDir()
	return &desk{t: t, url: storytest.Start(t), dir: dir, key: editortest.KeyFile(t), opened: filepath.Join(dir, "opened"), model: "It is short."}
}

// start starts a Neovim with the plug-in.
func (d *desk) start() *editortest.Terminal {
	d.t.Helper()
	plugin, err := filepath.Abs(".")
	if err != nil {
		d.t.Fatal(err)
	}
	quote := editortest.Quote
	init := editortest.File(d.t, "init.lua", `
vim.opt.runtimepath:prepend(%s)
vim.o.swapfile, vim.o.shadafile, vim.o.shortmess, vim.o.laststatus = false, 'NONE', vim.o.shortmess .. 'I', 2
vim.o.statusline = "<%%{%%v:lua.require'parley'.statusline()%%}>"
require('parley').setup({
  cmd = { %s },
  state_dir = %s,
  key_file = %s,
  servers = { { label = 'Work items', url = %s } },
  roots = { %s },
  model = { name = 'a-model', run = function(_, done) done(%s) end },
  open_url = function(url) vim.fn.writefile({ url }, %s) end,
})
`, quote(plugin), quote(editortest.Program(d.t)), quote(filepath.Join(d.dir, "parked")), quote(d.key), quote(d.url), quote(d.dir), quote(d.model), quote(d.opened))
	w := editortest.Start(d.t, "nvim", "--clean", "-u", init)
	w.Sees("<>")
	return w
}

// call begins a call by its command.
func call(w *editortest.Terminal, rest string) {
	w.Type(":ParleyCall Work items " + rest)
	w.Press("Enter")
}

// to moves to the line that begins with a text, and does what it is for.
func to(w *editortest.Terminal, text string) {
	w.Type("/^\\V" + text)
	w.Press("Enter")
	w.Press("Enter")
}
