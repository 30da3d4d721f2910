package main

import (
	"io"
	"os"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

func TestMain(m *testing.M) { os.Exit(hosttest.Main(m)) }

// All clients of Go and Node play the call to its end, and all tokens open.
func TestTables(t *testing.T) {
	taker := turnTaker{turns: 1, many: 10, report: newReport(io.Discard)}
	if err := taker.tables(); err != nil {
		t.Fatal(err)
	}
	for _, row := range taker.report.Rows {
		if row.Missing != "" || len(row.Turns) == 0 && row.Bytes == 0 || row.Of != "" && row.Ratio == 0 {
			t.Errorf("got %+v", row)
		}
	}
}

// So does mcp-go's.
func TestPeersInGo(t *testing.T) {
	wazero := hosttest.NewRuntime(t, parley.RuntimeOptions{})
	for _, legs := range legsOf {
		clients, end, err := inProcess(wazero, legs, true)
		if err != nil {
			t.Fatal(err)
		}
		last := clients[len(clients)-1]
		if last.name != "mcp-go 1.2.1" {
			t.Errorf("got %q at last", last.name)
		}
		if _, err := last.turn(1); err != nil {
			t.Error(err)
		}
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}

// The picture in the README is of the report beside it, and so is what is read to
// those who do not see it.
func TestPicture(t *testing.T) {
	want, err := os.ReadFile("performance.svg")
	if err != nil {
		t.Fatal(err)
	}
	got := new(strings.Builder)
	if err := writePicture(got, "performance.json"); err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Error("performance.svg is not made of performance.json: run go run . picture performance.json >performance.svg")
	}
	_, desc, _ := strings.Cut(string(want), `<desc id="desc">`)
	desc, _, _ = strings.Cut(desc, "</desc>")
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "![Time of a whole call, as a ratio to the official SDK's. "+desc+"](tests/peers/performance.svg)") {
		t.Errorf("README.md does not describe the picture as: %s", desc)
	}
}
