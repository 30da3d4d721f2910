package codectest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the vectors give into their files, and review the difference")

// Vectors replays every vector file of dir against a host, each as a test of its
// own. Their format is described in codec/testdata/vectors/README.md. skip
// reports, for a file's name without .txt, that this host cannot replay it; nil
// skips none.
func Vectors(t *testing.T, dir string, host Host, skip func(name string) bool) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s: %v", dir, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if skip == nil || !skip(name) {
			t.Run(name, func(t *testing.T) { replay(t, file, host) })
		}
	}
}

// replay runs one file: blocks of a call and, after "----", its answer.
func replay(t *testing.T, file string, host Host) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := script{host: host}
	var out bytes.Buffer
	calls := 0
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		out.WriteString(line + "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if i+2 >= len(lines) && !*update || i+1 < len(lines) && lines[i+1] != "----" && !*update {
			t.Fatalf("line %d: a call is followed by ---- and its answer", i+1)
		}
		verb, arguments, _ := strings.Cut(line, " ")
		got, err := s.call(verb, arguments)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		calls++
		out.WriteString("----\n" + got + "\n")
		if i+1 < len(lines) && lines[i+1] == "----" {
			want := ""
			if i+2 < len(lines) {
				want = lines[i+2]
			}
			if got != want && !*update {
				t.Errorf("line %d: %s\ngot  %s\nwant %s", i+1, line, got, want)
			}
			i += 2
		}
	}
	if calls == 0 {
		t.Error("a vector without a call")
	}
	if *update && !bytes.Equal(out.Bytes(), text) {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
