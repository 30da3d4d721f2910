//go:build unix

package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A picture of five bytes, in base64.
const (
	picture     = `{"type":"image","data":"iVBOR\nw0=","mimeType":"image/png"}`
	pictureData = "\x89PNG\r"
)

// odd has what a terminal does not get, and a file does.
const odd = "\ufeff\x00\x1b[31m\t\r\u202e\u2028\n\n"

func texts(blocks ...string) string {
	all := []string{}
	for _, block := range blocks {
		quoted, _ := json.Marshal(block)
		all = append(all, fmt.Sprintf(`{"type":"text","text":%s}`, quoted))
	}
	return `{"content":[` + strings.Join(all, ",") + `]}`
}

// TestResults has the bytes that a program gets, through a pipe and in a file.
func TestResults(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789\tabcdef\n", 120_000)
	blocks := make([]string, 10_001)
	for i := range blocks {
		blocks[i] = fmt.Sprintf("block %d", i)
	}
	tests := map[string]struct {
		command, result string
		code            int
		stdout, stderr  string
	}{
		"a text":            {"call", texts("a"), 0, "a", ""},
		"with a line break": {"call", texts("a\n"), 0, "a\n", ""},
		"an empty text":     {"call", texts(""), 0, "", ""},
		"odd":               {"call", texts(odd), 0, odd, ""},
		"lines":             {"call", texts(long), 0, long, ""},
		"a long line":       {"call", texts(strings.ReplaceAll(long, "\n", " ")), 0, strings.ReplaceAll(long, "\n", " "), ""},
		"texts":             {"call", texts("a\nb\n", "", "c"), 0, "a\nb\n\n\nc", ""},
		"many":              {"call", texts(blocks...), 0, strings.Join(blocks, "\n"), ""},
		"error":             {"call", `{"content":[{"type":"text","text":"no"}],"isError":true}`, 1, "no", "says that this is an error"},
		"new kind":          {"call", `{"content":[{"type":"hologram", "x": 1.0}]}`, 0, `{"type":"hologram", "x": 1.0}` + "\n", ""},
		"no result":         {"call", `{"content": 7}`, 0, `{"content": 7}` + "\n", "here it is as JSON"},
		"half a surrogate":  {"call", `{"content":[{"type":"text","text":"a\ud83d"}]}`, 0, "a\ufffd", "U+FFFD stands for half of a surrogate pair, which UTF-8 cannot express, in 1 of the texts"},
		"mixed":             {"call", `{"content":[{"type":"text","text":"see"},` + picture + `,{"type":"text","text":"and"}]}`, 0, "see\n" + picture + "\nand", "in the output as JSON: image, image/png, 5 bytes (--output FILE decodes it)\n"},
		"no base64":         {"call", `{"content":[{"type":"image","data":"no base64!","mimeType":"image/png"}]}`, 0, `{"type":"image","data":"no base64!","mimeType":"image/png"}` + "\n", "what the server sent cannot be decoded: image, image/png, not base64 (--json has it as it came)\n"},
		"a link":            {"call", `{"content":[{"type":"resource_link","uri":"x://y","name":"Y"}]}`, 0, `{"type":"resource_link","uri":"x://y","name":"Y"}` + "\n", ""},
		"embedded":          {"call", `{"content":[{"type":"resource","resource":{"uri":"x://y","text":"t\n"}}]}`, 0, "t\n", ""},
		"embedded, several": {"call", `{"content":[{"type":"text","text":"see"},{"type":"resource","resource":{"uri":"x://y","text":"t\n"}}]}`, 0, "see\nx://y:\nt\n", ""},
		"embedded blob":     {"call", `{"content":[{"type":"resource","resource":{"uri":"x://y","blob":"AAAA"}}]}`, 0, `{"type":"resource","resource":{"uri":"x://y","blob":"AAAA"}}` + "\n", "in the output as JSON: 3 bytes"},
		"structured":        {"call", `{"content":[],"structuredContent":{"a": 9007199254740993}}`, 0, `{"a": 9007199254740993}` + "\n", ""},
		"structured, same":  {"call", `{"content":[{"type":"text","text":"{\"a\": 1, \"b\": [2.50]}"}],"structuredContent":{"b":[25e-1],"a":1.0}}`, 0, `{"a": 1, "b": [2.50]}`, ""},
		"structured, other": {"call", `{"content":[{"type":"text","text":"5"}],"structuredContent":{"result":5}}`, 0, "5\n{\"result\":5}\n", ""},
		"structured, null":  {"call", `{"content":[{"type":"text","text":"5"}],"structuredContent":null}`, 0, "5", ""},
		"a message":         {"prompt", `{"messages":[{"role":"user","content":{"type":"text","text":"hi\n"}}]}`, 0, "hi\n", ""},
		"messages":          {"prompt", `{"messages":[{"role":"user","content":{"type":"text","text":"hi\n"}},{"role":"assistant","content":` + picture + `},{"role":"user","content":{"type":"text","text":"bye"}}]}`, 0, "user:\nhi\n\nassistant:\n" + picture + "\nuser:\nbye", ""},
		"a resource":        {"read", `{"contents":[{"uri":"x://y","text":"# T\t\n"}]}`, 0, "# T\t\n", ""},
		"a blob":            {"read", `{"contents":[{"uri":"x://y","blob":"AAAA"}]}`, 0, `{"uri":"x://y","blob":"AAAA"}` + "\n", ""},
		"an error, read":    {"read", `{"contents":[{"uri":"x://y","text":"no"}],"isError":true}`, 1, "no", "says that this is an error"},
		"an empty blob":     {"read", `{"contents":[{"uri":"x://y","text":"a","blob":""}]}`, 0, "a", ""},
		"resources":         {"read", `{"contents":[{"uri":"x://y","text":"a"},{"uri":"x://z","text":"b\n"}]}`, 0, "x://y:\na\nx://z:\nb\n", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _ := rawServer(t, `"result":`+tt.result)
			got := run(t, "", tt.command, url, "x", "--engine=native")
			if got.code != tt.code || got.stdout != tt.stdout {
				t.Errorf("got exit %d, %.200q; want %d, %.200q\n%s", got.code, got.stdout, tt.code, tt.stdout, got.stderr)
			}
			got.says(t, tt.stderr)
			file := filepath.Join(t.TempDir(), "out")
			if code, _ := runInto(t, file, tt.command, url, "x", "--engine=native"); code != tt.code || read(t, file) != tt.stdout {
				t.Errorf("in a file: got exit %d, %.200q", code, read(t, file))
			}
			if got := run(t, "", tt.command, url, "x", "--engine=native", "--json"); got.code != tt.code || got.stdout != tt.result+"\n" {
				t.Errorf("--json: got exit %d, %.200q", got.code, got.stdout)
			}
		})
	}
}

// runInto runs the program with a file as its standard output.
func runInto(t *testing.T, name string, args ...string) (code int, stderr string) {
	t.Helper()
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(name, "/dev/") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd := exec.Command(program, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = file, &said
	cmd.Run()
	return cmd.ProcessState.ExitCode(), said.String()
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOutputUnwritten is about output that cannot be written whole: of whatever
// command, that is no success.
func TestOutputUnwritten(t *testing.T) {
	t.Parallel()
	url, _ := rawServer(t, `"result":{"content":[{"type":"text","text":"a"}],"tools":[{"name":"a"}]}`)
	for _, args := range [][]string{{"call", url, "x"}, {"call", url, "x", "--json"}, {"tools", url}, {"tools", url, "--json"}, {"help"}, {"version"}, {"accounts", "--json"}} {
		code, said := runInto(t, "/dev/full", args...)
		if code != 3 || strings.Count(said, "standard output could not be written: no space left on device") != 1 {
			t.Errorf("%q, a full disk: got exit %d, %s", args, code, said)
		}
	}
	long, _ := rawServer(t, `"result":`+texts(strings.Repeat("x", 1<<20)))
	cmd := exec.Command(program, "call", long, "x")
	out, err := cmd.StdoutPipe()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err != nil || cmd.Start() != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 1))
	out.Close()
	if err := cmd.Wait(); err == nil || said.Len() > 0 {
		t.Errorf("a pipe that nobody reads: got %v, %s", err, &said)
	}
}

// TestOutputFile decodes what is decoded, and leaves the rest.
func TestOutputFile(t *testing.T) {
	t.Parallel()
	sound := `{"type":"audio","data":"AAAA","mimeType":"audio/wav"}`
	tests := map[string]struct {
		command, result string
		flags           []string
		code            int
		stdout          string
		files           map[string]string
		stderr          string
	}{
		"a picture":         {"call", `{"content":[` + picture + `]}`, nil, 0, "", map[string]string{"out.x": pictureData}, "out.x: image, image/png, 5 bytes\n"},
		"among texts":       {"call", `{"content":[{"type":"text","text":"see"},` + picture + `,{"type":"text","text":"and"}]}`, nil, 0, "see\nand", map[string]string{"out.x": pictureData}, ""},
		"several":           {"call", `{"content":[` + picture + `,` + sound + `]}`, nil, 0, "", map[string]string{"out-1.x": pictureData, "out-2.x": "\x00\x00\x00"}, "out-2.x: audio, audio/wav, 3 bytes\n"},
		"too many":          {"call", `{"content":[` + strings.Repeat(picture+",", 100) + picture + `]}`, nil, 3, strings.Repeat(picture+"\n", 101), nil, "101 pictures, sounds and blobs, and parley writes 100 files at most. The result goes to standard output instead"},
		"a blob":            {"read", `{"contents":[{"uri":"x://y","blob":"AAAA"}]}`, nil, 0, "", map[string]string{"out.x": "\x00\x00\x00"}, ""},
		"an empty blob":     {"read", `{"contents":[{"uri":"x://y","blob":""}]}`, nil, 0, "", map[string]string{"out.x": ""}, ""},
		"a text":            {"read", `{"contents":[{"uri":"x://y","text":"# T\n"}]}`, nil, 0, "", map[string]string{"out.x": "# T\n"}, ""},
		"texts":             {"call", texts("a", "b"), nil, 0, "", map[string]string{"out.x": "a\nb"}, ""},
		"in a prompt":       {"prompt", `{"messages":[{"role":"user","content":` + picture + `}]}`, nil, 0, "", map[string]string{"out.x": pictureData}, ""},
		"as JSON":           {"call", `{"content":[` + sound + `]}`, []string{"--json"}, 0, "", map[string]string{"out.x": `{"content":[` + sound + `]}` + "\n"}, ""},
		"an error":          {"call", `{"content":[{"type":"text","text":"no"}],"isError":true}`, nil, 1, "no", nil, "says that this is an error"},
		"no base64":         {"read", `{"contents":[{"uri":"x://y","blob":"AAA"}]}`, nil, 3, `{"uri":"x://y","blob":"AAA"}` + "\n", nil, "--output: what the server sent cannot be decoded: not base64. The result goes to standard output instead"},
		"standard output":   {"call", `{"content":[{"type":"text","text":"see\u202e"},` + picture + `]}`, []string{"--output", "-"}, 0, pictureData, nil, "│ see<U+202E>\n"},
		"several, standard": {"call", `{"content":[` + picture + `,` + sound + `]}`, []string{"--output", "-"}, 3, picture + "\n" + sound + "\n", nil, "2 things for standard output (image, image/png, 5 bytes; audio, audio/wav, 3 bytes), which takes one"},
		"a full disk":       {"call", `{"content":[` + sound + `]}`, []string{"--output", "/dev/full"}, 3, sound + "\n", nil, "--output: /dev/full: no space left on device. The result goes to standard output instead"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name := range tt.files {
				os.WriteFile(filepath.Join(dir, name), []byte("what was there before, and is longer"), 0o600)
			}
			url, _ := rawServer(t, `"result":`+tt.result)
			args := append([]string{tt.command, url, "x", "--engine=native", "--output", filepath.Join(dir, "out.x")}, tt.flags...)
			got := run(t, "", args...)
			if got.code != tt.code || got.stdout != tt.stdout {
				t.Errorf("got exit %d, %q; want %d, %q\n%s", got.code, got.stdout, tt.code, tt.stdout, got.stderr)
			}
			got.says(t, tt.stderr)
			left, _ := os.ReadDir(dir)
			if len(left) != len(tt.files) {
				t.Errorf("files: got %v", left)
			}
			for name, want := range tt.files {
				if got := read(t, filepath.Join(dir, name)); got != want {
					t.Errorf("%s: got %q", name, got)
				}
			}
		})
	}
}

// TestOutputOnScreen is what a terminal gets: no more than it can show, and it is
// said what it does not get.
func TestOutputOnScreen(t *testing.T) {
	t.Parallel()
	url, _ := rawServer(t, `"result":`+texts(odd+"end"))
	w := start(t, 80, 20, "call", url, "x", "--engine=native")
	w.sees("<U+FEFF>␀␛[31m    ␍<U+202E><U+2028>", "end")
	w.ends(0)
	checkSafe(t, w.raw.String())

	long, _ := rawServer(t, `"result":`+texts(strings.Repeat("a\n", 110_000)))
	w = start(t, 80, 20, "call", long, "x", "--engine=native")
	w.seesFlat("more bytes)", "bytes are left out above: a terminal gets no more. A file or a pipe gets all of it")
	w.ends(0)

	w = start(t, 80, 20, "call", url, "x", "--output", "-")
	w.seesFlat("is not for the screen as it is")
	w.ends(2)

	described, _ := json.Marshal(odd + strings.Repeat("word ", 2000))
	tools, _ := rawServer(t, fmt.Sprintf(`"result":{"tools":[{"name":"a","description":%s,"inputSchema":{"type":"object","properties":{"b":{"description":%[1]s}}}}]}`, described))
	w = start(t, 80, 20, "tools", tools, "--engine=native")
	w.seesFlat("more bytes)", "bytes are left out above")
	w.ends(0)
	checkSafe(t, w.raw.String())
	got := run(t, "", "tools", tools, "--engine=native")
	if got.code != 0 || got.stderr != "" || strings.Count(got.stdout, strings.Repeat("word ", 2000)) != 2 || strings.Count(got.stdout, odd[:len(odd)-2]) != 2 {
		t.Errorf("got exit %d, %q\n%s", got.code, got.stdout, got.stderr)
	}
}
