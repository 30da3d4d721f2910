// Package flags has the flags of a command as a table: what reads them, what checks
// them and what the help says of them stand in one place.
package flags

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"
)

// Flag is a line of the table.
type Flag struct {
	Name    string
	Value   string // what the help calls its value, such as DIR; empty for a switch
	Default string // as it would be typed
	To      any    // where its value goes: a pointer or a func(string) error
	Text    string // what it does; the help wraps it, and adds the default
}

// Group is flags that belong together.
type Group struct {
	Text  string       // what the help says before them, as it is
	Flags []Flag       // may be none: the group is text only
	Check func() error // what is wrong once all is read, nil if nothing can be
}

// Parse reads a command line: flags may stand before, between and after the other
// arguments, which it returns. What follows "--" is no flag; after is nil if there
// is no "--". The error is [flag.ErrHelp] if help is wanted.
func Parse(groups []Group, args []string) (before, after []string, err error) {
	set := define(groups)
	for {
		if err := set.Parse(args); err != nil {
			return nil, nil, err
		}
		rest := set.Args()
		if parsed := len(args) - len(rest); parsed > 0 && args[parsed-1] == "--" {
			return before, append([]string{}, rest...), nil
		}
		if len(rest) == 0 {
			return before, nil, nil
		}
		before, args = append(before, rest[0]), rest[1:]
	}
}

// define makes what package flag knows of them.
func define(groups []Group) *flag.FlagSet {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard) // the caller reports errors, and the help is ours
	for _, group := range groups {
		for _, f := range group.Flags {
			switch to := f.To.(type) {
			case *string:
				set.StringVar(to, f.Name, *to, "")
			case *bool:
				set.BoolVar(to, f.Name, *to, "")
			case *int:
				set.IntVar(to, f.Name, *to, "")
			case *time.Duration:
				set.DurationVar(to, f.Name, *to, "")
			case *[]string: // given once for each
				set.Func(f.Name, "", func(text string) error { *to = append(*to, text); return nil })
			case func(string) error:
				set.Func(f.Name, "", to)
			default:
				panic(fmt.Sprintf("flags: --%s goes to a %T", f.Name, to))
			}
			if f.Default != "" {
				if err := set.Set(f.Name, f.Default); err != nil {
					panic(fmt.Sprintf("flags: the default of --%s: %v", f.Name, err))
				}
			}
		}
	}
	return set
}

// Check makes the checks of the groups, in their order, up to the first that fails.
func Check(groups []Group) error {
	for _, group := range groups {
		if group.Check == nil {
			continue
		}
		if err := group.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Help is what the groups are, within 80 columns. An empty line comes before each.
func Help(groups []Group) string {
	var b strings.Builder
	for _, group := range groups {
		b.WriteString("\n" + group.Text)
		for _, f := range group.Flags {
			text := f.Text
			if f.Default != "" {
				text += " (default " + f.Default + ")"
			}
			b.WriteString(Row(strings.TrimSpace("--"+f.Name+" "+f.Value), text, 19))
		}
	}
	return b.String()
}

// Row is a name and, from a column on, what it is: lines of up to 80 columns. A name
// that reaches the column has a line to itself.
func Row(name, text string, column int) string {
	var b strings.Builder
	indent := strings.Repeat(" ", column)
	line := fmt.Sprintf("%-*s", column, "  "+name+" ")
	if len(line) > column {
		b.WriteString("  " + name + "\n")
		line = indent
	}
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case len([]rune(line+" "+word)) > 80:
			b.WriteString(line + "\n")
			line = indent
		default:
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
