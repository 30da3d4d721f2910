package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
)

// verb is one of parley's commands: what is typed, what the help says and what is
// done. It stands in the file of what it does.
type verb struct {
	name     string   // such as "token seal"
	args     []string // what comes after the name; several if there are several ways to say it
	brief    string   // in the list of commands
	text     string
	examples string
	groups   []flags.Group
	exits    string

	secret bool // a secret may be among the arguments by mistake, so no error repeats one
	read   func(before, after []string) error
	local  bool // what is done without a server is quick, and is not left half done
	run    func(ctx context.Context, screen *console.Console) int

	verbs []*verb // in place of read and run: what the next word may be
}

// find is the verb that the words begin with, nil if there is none, and the words
// after it.
func find(verbs []*verb, words []string) (found *verb, rest []string) {
	for _, v := range verbs {
		if len(words) > 0 && strings.HasSuffix(" "+v.name, " "+words[0]) {
			if deeper, rest := find(v.verbs, words[1:]); deeper != nil {
				return deeper, rest
			}
			return v, words[1:]
		}
	}
	return nil, words
}

// parse reads the words after the verb. The error is [flag.ErrHelp] if help is wanted.
func (v *verb) parse(words []string) error {
	if v.verbs != nil {
		if len(words) > 0 && isHelp(words[0]) {
			return flag.ErrHelp
		}
		return fmt.Errorf("%s needs %s", v.name, v.choice()) // and not what it got, which may be a token
	}
	before, after, err := flags.Parse(v.groups, words)
	switch {
	case v.secret && err != nil && !errors.Is(err, flag.ErrHelp): // some tokens and keys begin with "-"
		return fmt.Errorf("%s has no such flag, or a flag of it no such value", v.name)
	case err != nil:
		return err
	}
	if err := v.read(before, after); err != nil {
		return err
	}
	return flags.Check(v.groups)
}

func isHelp(word string) bool {
	return word == "help" || word == "-h" || word == "-help" || word == "--help"
}

// choice is what may come after a verb that has others.
func (v *verb) choice() string {
	if len(v.verbs) == 1 {
		return strings.TrimPrefix(v.verbs[0].short(), v.name+" ")
	}
	return "one of " + strings.Join(v.words(), ", ")
}

// words are what the next word may be.
func (v *verb) words() (words []string) {
	for _, next := range v.verbs {
		words = append(words, strings.TrimPrefix(next.name, v.name+" "))
	}
	return words
}

// short is the verb with what it needs, its flags left out.
func (v *verb) short() string {
	needs := strings.Join(v.words(), "|")
	if v.args != nil {
		needs = strings.Replace(v.args[0], "[FLAGS]", "", 1)
	}
	return strings.TrimSpace(v.name + " " + needs)
}

// help is all that there is to say.
func (v *verb) help() string {
	var b strings.Builder
	head := "Usage: parley "
	if v.args == nil {
		b.WriteString(head + v.short() + "\n")
	}
	for _, args := range v.args {
		b.WriteString(head + v.name + " " + args + "\n")
		head = "       parley "
	}
	b.WriteString("\n" + v.text)
	if v.verbs != nil {
		b.WriteString("\n" + list(v.verbs))
	}
	if v.examples != "" {
		b.WriteString("\nExamples:\n" + v.examples)
	}
	b.WriteString(flags.Help(v.groups))
	if v.exits != "" {
		b.WriteString("\nExit codes:\n" + v.exits)
	}
	return b.String()
}

// list has a line for each verb.
func list(verbs []*verb) string {
	var b strings.Builder
	for _, v := range verbs {
		if len(v.verbs) == 1 {
			v = v.verbs[0]
		}
		b.WriteString(flags.Row("parley "+v.short(), v.brief, 39))
	}
	return b.String()
}
