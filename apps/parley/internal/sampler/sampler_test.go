package sampler_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/parley/internal/sampler"
)

// The test program is the model, too: with MODEL set it does what that says.
func TestMain(m *testing.M) {
	switch os.Getenv("MODEL") {
	case "":
		os.Exit(m.Run())
	case "echo":
		in, _ := io.ReadAll(os.Stdin)
		fmt.Printf("%q got %s\r\n\n", os.Args[1:], in)
	case "fail":
		fmt.Fprintln(os.Stderr, "no model today")
		os.Exit(3)
	case "talk":
		fmt.Print(strings.Repeat("x", 2<<20))
	case "sleep":
		time.Sleep(time.Hour)
	}
}

func TestRun(t *testing.T) {
	tests := map[string]struct{ does, want string }{
		"answers": {"echo", `["a b" "$HOME; rm -rf /"] got {"maxTokens":1.0}`},
		"fails":   {"fail", "exit status 3: no model today"},
		"silent":  {"nothing", "says nothing"},
		"endless": {"talk", "says more than 1048576 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("MODEL", tt.does)
			c := sampler.Command{Words: []string{os.Args[0], "a b", "$HOME; rm -rf /"}}
			got, err := c.Run(t.Context(), []byte(`{"maxTokens":1.0}`))
			if err != nil {
				got = err.Error()
			}
			if !strings.HasSuffix(got, tt.want) {
				t.Errorf("got %.200q, want %q", got, tt.want)
			}
		})
	}
}

func TestRunStops(t *testing.T) {
	t.Setenv("MODEL", "sleep")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := sampler.Command{Words: []string{os.Args[0]}}.Run(ctx, nil) // which would take an hour
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestSplit(t *testing.T) {
	tests := map[string]struct {
		in   string
		want []string // nil is an error
	}{
		"words":          {" llm  -m\tsmall\n", []string{"llm", "-m", "small"}},
		"quotes":         {`'a b'"c d" 'it'\''s' "say \"x\" \n"`, []string{"a bc d", "it's", `say "x" \n`}},
		"empty word":     {`a '' ""`, []string{"a", "", ""}},
		"no shell":       {`echo $HOME; rm -rf * | cat > x & ` + "`id`", []string{"echo", "$HOME;", "rm", "-rf", "*", "|", "cat", ">", "x", "&", "`id`"}},
		"backslash":      {`a\ b \\`, []string{"a b", `\`}},
		"open quote":     {`a "b`, nil},
		"open backslash": {`a \`, nil},
		"nothing":        {"  ", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := sampler.Split(tt.in)
			if (err != nil) != (tt.want == nil) || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}
