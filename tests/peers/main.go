package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/parley-mcp/parley/internal/testkit/sources"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	what := "calls"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		what, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("bench "+what, flag.ContinueOnError)
	file := flags.String("json", "", "write what was measured to this `file` as well")
	turns := flags.Int("turns", 31, "how often each row of a table has its turn")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if what == "picture" && flags.NArg() == 1 {
		return writePicture(os.Stdout, flags.Arg(0))
	}
	if flags.NArg() > 0 || *turns < 1 {
		flags.Usage()
		return errors.New("unknown arguments")
	}
	if err := sources.Check(); err != nil {
		return err
	}
	t := turnTaker{turns: *turns, time: turnTime, many: 10_000, report: newReport(os.Stdout)}
	var err error
	switch what {
	case "calls":
		err = t.tables()
	case "peers":
		t.peers = true
		err = t.calls()
	case "growth":
		err = t.growth(things)
	default:
		return fmt.Errorf("there is no %q (calls, peers, growth, picture FILE)", what)
	}
	t.report.end()
	if *file != "" {
		err = errors.Join(err, t.report.write(*file))
	}
	return err
}

// tables are all but growth and the peers that must be installed.
func (t *turnTaker) tables() error {
	for _, table := range []func() error{t.calls, t.extremes, t.coldStart, t.bundles, t.codec} {
		if err := table(); err != nil {
			return err
		}
	}
	return nil
}
