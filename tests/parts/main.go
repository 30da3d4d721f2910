package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("build.sh: ")
	parts, err := find(".")
	if err != nil {
		log.Fatal(err)
	}
	switch {
	case len(os.Args) == 2 && os.Args[1] == "list":
		list(os.Stdout, parts)
	case len(os.Args) > 1 && os.Args[1] == "test":
		if err := test(parts, os.Args[2:]); err != nil {
			log.Fatal("test: ", err)
		}
	default:
		log.Fatal("usage: parts list | test [all | PART...]")
	}
}

// list writes the names of all parts, and what those need that are left to "all".
func list(w io.Writer, parts []part) {
	quick, more := split(parts)
	for _, p := range quick {
		fmt.Fprintln(w, p.name)
	}
	fmt.Fprint(w, "\nand with test all:\n")
	for _, p := range more {
		fmt.Fprintf(w, "%-28s %s\n", p.name, strings.Join(p.needs, " "))
	}
}

func test(parts []part, args []string) error {
	chosen, err := choose(parts, args)
	if err != nil {
		return err
	}
	jobs := runtime.NumCPU()
	if text := os.Getenv("JOBS"); text != "" {
		if jobs, err = strconv.Atoi(text); err != nil || jobs < 1 {
			return fmt.Errorf("JOBS is %q: it is how many parts are tested at once", text)
		}
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	r := &runner{
		root: ".", jobs: jobs, mustRun: os.Getenv("CI") == "true",
		out: os.Stdout, remind: time.Tick(2 * time.Minute), stop: stop, grace: 3 * time.Second,
	}
	tasks := newTasks(chosen)
	if err := r.play(tasks); err != nil {
		return err
	}
	report(os.Stdout, tasks, time.Since(r.began), jobs)
	if _, more := split(parts); len(args) == 0 {
		fmt.Println("./build.sh test all adds:", strings.Join(names(more), " "))
	}
	if failed := failures(tasks); len(failed) > 0 {
		return errors.New("not every part passed: " + strings.Join(failed, " "))
	}
	return nil
}
