//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/authtest"
)

// TestReadmeCommands runs what README.md and the help tell people to type: at
// the story server, and with a peer in the place of ./my-server.
func TestReadmeCommands(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := typed(string(readme), "go run ./apps/parley ", "parley ")
	for _, topic := range []string{"help", "call", "prompt", "read", "discover", "tools", "login"} {
		commands = append(commands, typed(examples(run(t, "", "help", topic).stdout), "parley ")...)
	}
	if len(commands) < 12 {
		t.Fatalf("found only %q", commands)
	}
	demo, dir, url := mustAbs(t, "demo.json"), t.TempDir(), server(t)
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "my-server")); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("my-model", "#!/bin/sh\necho Short.\n")
	write("arguments.json", `{"text":"x"}`)
	os.Mkdir(filepath.Join(dir, "notes"), 0o700)
	write("answers.json", `{"answers":[
		{"key":"units","action":"accept","content":{"units":"metric"}},
		{"key":"resolution","action":"accept","content":{"resolution":"Fixed"}},
		{"key":"review","action":"accept","content":{"language":"Go","focus":"security"}},
		{"key":"quarter","action":"accept","content":{"quarter":"Q2"}},
		{"key":"confirm","action":"accept","content":{"confirm":true}},{"key":"login-1","action":"decline"},
		{"key":"name","action":"accept","content":{"name":"Ada"}},{"key":"town","action":"accept","content":{"town":"Oslo"}}]}`)
	if shown := run(t, "", "discover", url).stdout; !strings.Contains(string(readme), "```\n"+shown+"```") {
		t.Errorf("README.md shows something else than\n%s", shown)
	}
	locked := protected(t)
	locked.Wants = func(authtest.Request) string { return "items" }
	for _, line := range commands {
		t.Run(line, func(t *testing.T) {
			line = strings.NewReplacer("http://127.0.0.1:8080/mcp", url, "https://mcp.example.com/mcp", locked.URL, "$URL", url, "apps/parley/demo.json", demo).Replace(line)
			switch verb, _, _ := strings.Cut(line, " "); {
			case verb == "login":
				line += ` --browser "` + visitCommand() + `"`
			case verb == "accounts", verb == "logout", verb == "discover", verb == "tools", strings.Contains(line, "--script"):
			default: // nobody is there to answer
				line = strings.Replace(line, verb, verb+" --sample-yes --script answers.json", 1)
				if !strings.Contains(line, "--sample-cmd") {
					line = strings.Replace(line, " --sample-yes", "", 1)
				}
			}
			cmd := exec.Command("sh", "-c", "'"+program+"' "+line)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestReadmeFlags has README.md name every flag that a command has, and list none
// that no command has.
func TestReadmeFlags(t *testing.T) {
	file, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(file)
	name, command := regexp.MustCompile(`--[a-z][a-z-]*`), regexp.MustCompile(`(?m)^  parley ((?:token )?[a-z-]+)`)
	flags := map[string]bool{}
	for _, group := range []string{"help", "token"} {
		list, _, _ := strings.Cut(run(t, "", "help", group).stdout, "\nExamples:")
		for _, found := range command.FindAllStringSubmatch(list, -1) {
			for line := range strings.Lines(run(t, "", append([]string{"help"}, strings.Fields(found[1])...)...).stdout) {
				if flag := name.FindString(line); flag != "" && strings.HasPrefix(line, "  "+flag) {
					flags[flag] = true
				}
			}
		}
	}
	if len(flags) < 30 {
		t.Fatalf("the help has only %v", flags)
	}
	named := map[string]bool{}
	for _, flag := range name.FindAllString(readme, -1) {
		named[flag] = true
	}
	for flag := range flags {
		if !named[flag] {
			t.Errorf("README.md does not name %s", flag)
		}
	}
	for line := range strings.Lines(readme) {
		row, ok := strings.CutPrefix(line, "| `--")
		if !ok {
			continue
		}
		row, _, _ = strings.Cut(row, " | ")
		for _, flag := range name.FindAllString("--"+row, -1) {
			if !flags[flag] {
				t.Errorf("README.md lists %s, which no command has", flag)
			}
		}
	}
}

// examples is what comes after "Example:" or "Examples", up to an empty line.
func examples(help string) string {
	_, text, _ := strings.Cut(help, "\nExample")
	_, text, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return "```sh\n" + text + "\n```"
}

// typed are the commands in the shell blocks of a text, without what they begin
// with.
func typed(text string, prefixes ...string) (commands []string) {
	for i, block := range strings.Split(text, "```") {
		code, isShell := strings.CutPrefix(block, "sh\n")
		if i%2 == 0 || !isShell {
			continue
		}
		for line := range strings.Lines(strings.ReplaceAll(code, "\\\n", "")) {
			for _, prefix := range prefixes {
				if command, ok := strings.CutPrefix(strings.TrimSpace(line), prefix); ok {
					commands = append(commands, command)
				}
			}
		}
	}
	return commands
}
