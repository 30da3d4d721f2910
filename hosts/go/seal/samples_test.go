package seal_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// made is how a Guard's options begin in Go, JavaScript and Python.
var made = map[string]*regexp.Regexp{
	"Go":         regexp.MustCompile(`\bcodec\.GuardOptions\{`),
	"JavaScript": regexp.MustCompile(`\bcreateGuard\(\{`),
	"Python":     regexp.MustCompile(`[^.\w]Guard\((?:keys\b|read_key_file|new_key)`),
}

// TestSamplesNameTheTTL has every sample that makes a Guard say how long a person
// may think: who copies it sees what to change.
func TestSamplesNameTheTTL(t *testing.T) {
	found := map[string]int{}
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{"node_modules", "dist", "internal", "testdata", "tests", "test", "wasm"}, entry.Name()) || len(entry.Name()) > 2 && entry.Name()[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		if !sample(path) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for language, how := range made {
			for _, at := range how.FindAllIndex(text, -1) {
				found[language]++
				if one := options(string(text[at[0]:])); !strings.Contains(strings.ToLower(one), "ttl") {
					t.Errorf("%s: %s names no ttl", path, one)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for language, least := range map[string]int{"Go": 9, "JavaScript": 2, "Python": 2} {
		if found[language] < least {
			t.Errorf("%d samples in %s make a Guard, want %d or more", found[language], language, least)
		}
	}
}

// options are the text up to the bracket that closes the first one.
func options(text string) string {
	for at, open := strings.IndexAny(text, "({"), 0; at < len(text); at++ {
		switch text[at] {
		case '(', '{':
			open++
		case ')', '}':
			if open--; open == 0 {
				return text[:at+1]
			}
		}
	}
	return text
}

// sample tells of a file whether people copy from it.
func sample(path string) bool {
	name := filepath.Base(path)
	return name == "README.md" || name == "doc.go" || name == "guard.go" || name == "runtime.go" || strings.HasPrefix(name, "example_") ||
		strings.Contains(filepath.ToSlash(path), "/examples/") && slices.Contains([]string{".go", ".js", ".py"}, filepath.Ext(name)) && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, ".test.js")
}
