package interop_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// What README.md says was seen: with servers that have nothing of Parley's in
// them, and with those that seal their states with its codec.
var (
	withOthers = &table{columns: []string{"its SDK's client", parleyGo, parleyWasm, parleyJS, overTS, overTSLegacy, overGo, "stories"}}
	withSealed = &table{columns: []string{"gosdk", "ts", "python", "rust", parleyGo, parleyJS}}
)

// table has a row for each server as it is reached.
type table struct {
	columns []string

	mu   sync.Mutex
	rows map[string]map[string][]string
}

// add enters what a test comes to when it has ended: how many calls in the
// column of a client, or the name of a story. A client without a column is the
// one of the server's SDK, which has the first.
func (r *table) add(t *testing.T, row, column, what string) {
	if !slices.Contains(r.columns, column) {
		column = r.columns[0]
	}
	t.Cleanup(func() {
		switch {
		case t.Failed():
			what = "**" + what + " failed**"
		case t.Skipped():
			what = "skipped"
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.rows == nil {
			r.rows = map[string]map[string][]string{}
		}
		if r.rows[row] == nil {
			r.rows[row] = map[string][]string{}
		}
		r.rows[row][column] = append(r.rows[row][column], what)
	})
}

func count(cases []interop.Case) string { return fmt.Sprint(len(cases)) }

func (r *table) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "| calls | %s |\n|---%s|\n", strings.Join(r.columns, " | "), strings.Repeat("|---", len(r.columns)))
	var rows []string
	for row := range r.rows {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, column := range r.columns {
			fmt.Fprintf(&b, " %s |", strings.Join(r.rows[row][column], ", "))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// writeResults puts the tables where README.md has them.
func writeResults() error {
	const (
		name   = "README.md"
		before = "<!-- go test -count=1 ./tests/interop -update writes from here -->\n"
		after  = "<!-- to here -->\n"
	)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	head, rest, found := bytes.Cut(text, []byte(before))
	_, tail, closed := bytes.Cut(rest, []byte(after))
	if !found || !closed {
		return fmt.Errorf("%s has no place for the results", name)
	}
	return os.WriteFile(name, slices.Concat(head, []byte(before),
		withOthers.markdown(), []byte("\n"), withSealed.markdown(), []byte(after), tail), 0o644)
}
