package play

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// parkedFile is where a program that drives the loop by hand saves its call.
const parkedFile = "parked.json"

// Loop has a program that drives the loop by hand call the tools of a server, and
// types what a person would. What it has parked, other resumes, which may be
// another such program.
func Loop(t *testing.T, program, other []string, server string) {
	closed := closedPort(t)
	tests := map[string]struct {
		args  []string
		typed string
		ok    bool
		want  []string
	}{
		"one form":       {[]string{server, "get_weather", oslo}, "imperial\n\n", true, []string{"Which units should the weather in Oslo be in?", "Oslo: 64 °F"}},
		"does not fit":   {[]string{server, "get_weather", oslo}, "celsius\nmetric\n\n", true, []string{"must be one of the choices", "Oslo: 18 °C"}},
		"declined":       {[]string{server, "update_work_item", resolved}, "/decline\n", true, []string{"the user declined to give a resolution"}},
		"nothing to ask": {[]string{server, "update_work_item", `{"id":4711,"state":"Active"}`}, "", true, []string{"Work item 4711 is now Active."}},
		"no such tool":   {[]string{server, "nosuch", `{}`}, "", false, []string{"nosuch"}},
		"no JSON":        {[]string{server, "get_weather", `{`}, "", false, []string{"JSON"}},
		"unreachable":    {[]string{closed, "get_weather", oslo}, "", false, []string{"it was not carried out"}},
		"no such file":   {[]string{server, "nosuch.json"}, "", false, []string{"nosuch.json"}},
		"without a word": {nil, "", false, []string{"Usage:"}},
		"a hostile server": {[]string{asking(t, &mcp.ElicitParams{Message: hostile, RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}, hostile), "ask", `{}`},
			"\n", true, []string{"evil"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			shown, ok := typing(t, program, tt.typed, tt.args...)
			if ok != tt.ok {
				t.Errorf("ended well: got %v, want %v", ok, tt.ok)
			}
			for _, want := range tt.want {
				if !strings.Contains(shown, want) {
					t.Errorf("it does not show %q:\n%s", want, shown)
				}
			}
			for _, raw := range []string{"\x1b", "\u202e", "\u2028", "\u009b", "\r", "\a", "\u200b", "\nPassword"} {
				if strings.Contains(shown, raw) {
					t.Errorf("it shows %q raw: %q", raw, shown)
				}
			}
			if _, err := os.Stat(parkedFile); ok && err == nil {
				t.Errorf("%s is still there", parkedFile)
			}
		})
	}
	t.Run("parked", func(t *testing.T) { parkLoop(t, program, other, server) })
	t.Run("killed", func(t *testing.T) { killLoop(t, program, server) })
}

// parkLoop parks a call, which both programs then resume.
func parkLoop(t *testing.T, program, other []string, server string) {
	t.Chdir(t.TempDir())
	shown, ok := typing(t, program, "", server, "update_work_item", resolved)
	info, err := os.Stat(parkedFile)
	if ok || err != nil || info.Mode().Perm() != 0o600 || !strings.Contains(shown, "the call is parked in "+parkedFile) {
		t.Fatalf("parking it: ended well %v, %v, %v, and showed\n%s", ok, info, err, shown)
	}
	text, err := os.ReadFile(parkedFile)
	if err != nil {
		t.Fatal(err)
	}
	if shown, ok := typing(t, program, "", closedPort(t), parkedFile); ok || !strings.Contains(shown, "another peer") {
		t.Errorf("at another server: ended well %v, and showed\n%s", ok, shown)
	}
	for _, command := range [][]string{program, other} {
		file := filepath.Join(t.TempDir(), "call.json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if shown, ok := typing(t, command, "Fixed\n\n", server, file); !ok || !strings.Contains(shown, "Work item 4711 is now Resolved as Fixed.") {
			t.Errorf("%s resumes it: ended well %v, and showed\n%s", command, ok, shown)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s leaves the file of a call that is over", command)
		}
	}
}

// killLoop kills the program while a person is asked, and resumes the call.
func killLoop(t *testing.T, program []string, server string) {
	t.Chdir(t.TempDir())
	cmd := exec.CommandContext(t.Context(), program[0], append(program[1:len(program):len(program)], server, "update_work_item", resolved)...)
	input, err := cmd.StdinPipe() // stays open: the person is there
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewReader(output); ; {
		line, err := lines.ReadString('\n')
		if strings.Contains(line, resolution) {
			break
		}
		if err == io.EOF {
			t.Fatal("it has asked nothing")
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if shown, ok := typing(t, program, "Fixed\n\n", server, parkedFile); !ok || !strings.Contains(shown, "Work item 4711 is now Resolved as Fixed.") {
		t.Errorf("ended well %v, and showed\n%s", ok, shown)
	}
}
