package extism_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
)

// elsewhere is where the plug-in runs besides Go: a program that passes exports
// and callbacks on, and the variable that says with what to run it. test.sh sets
// them.
var elsewhere = map[string]struct{ variable, program string }{
	"node":   {"PARLEY_EXTISM_NODE", "../../examples/extism-node/test/plugin.js"},
	"worker": {"PARLEY_EXTISM_NODE_WORKER", "../../examples/extism-node/test/plugin.js"}, // a Node whose WebAssembly cannot wait
	"python": {"PARLEY_EXTISM_PYTHON", "../../examples/extism-python/test/plugin.py"},
	"rust":   {"PARLEY_EXTISM_RUST", ""}, // it is built already
}

// eachElsewhere runs a test in the official SDKs of other languages.
func eachElsewhere(t *testing.T, config map[string]string, f func(t *testing.T, h host)) {
	for name, in := range elsewhere {
		t.Run(name, func(t *testing.T) {
			command := os.Getenv(in.variable)
			if command == "" {
				t.Skipf("%s is not set; test.sh sets it", in.variable)
			}
			f(t, newPiped(t, config, command, in.program))
		})
	}
}

// piped is the artifact in another process; see the programs for what is said.
type piped struct {
	say  *json.Encoder
	hear *json.Decoder
}

func newPiped(t *testing.T, config map[string]string, command, program string) *piped {
	t.Helper()
	if config == nil {
		config = map[string]string{}
	}
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"../../wasm/parley-extism.wasm", string(text)}
	if program != "" {
		args = append([]string{program}, args...)
	}
	cmd := exec.Command(command, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", program, err)
		}
	})
	return &piped{json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))}
}

func (p *piped) call(t testing.TB, export string, input []byte, answer func(string, []byte) []byte) []byte {
	t.Helper()
	p.mustSay(t, map[string]any{"export": export, "input": append([]byte{}, input...)})
	for {
		var said struct {
			Callback, Error string
			Text, Output    []byte
		}
		if err := p.hear.Decode(&said); err != nil {
			t.Fatalf("%s: %v", export, err)
		}
		switch {
		case said.Error != "":
			t.Fatalf("%s: %s", export, said.Error)
		case said.Callback == "":
			return said.Output
		}
		p.mustSay(t, map[string]any{"answer": append([]byte{}, answer(said.Callback, said.Text)...)})
	}
}

func (p *piped) mustSay(t testing.TB, message any) {
	t.Helper()
	if err := p.say.Encode(message); err != nil {
		t.Fatal(err)
	}
}
