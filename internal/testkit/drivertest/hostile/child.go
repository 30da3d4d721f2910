package hostile

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/parley-mcp/parley/internal/testkit/drivertest"
)

// Child is a program that offers its language's stage, a line of JSON a request
// and one an answer:
//
//	{"do":"start"}                      a new stage
//	{"do":"input","input":"saved"}      something happens, as it stands in a script
//	{"do":"end"}                        every callback returns, and every call ends
//
// An answer has lines, what the driver called until it stood still, and open,
// whether a call has not ended; error says that this cannot happen, and fatal that
// the driver broke.
type Child struct {
	// Silence is how long an answer may take: a program that takes longer hangs,
	// and is ended.
	Silence time.Duration

	command []string
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	last    reply
}

type reply struct {
	Lines []string
	Open  bool
	Error string
	Fatal bool
}

// NewChild starts a program.
func NewChild(command ...string) (*Child, error) {
	c := &Child{Silence: time.Minute, command: command}
	return c, c.begin()
}

func (c *Child) begin() error {
	c.process = exec.Command(c.command[0], c.command[1:]...)
	c.process.Stderr = os.Stderr
	in, err := c.process.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return err
	}
	c.in, c.out = in, bufio.NewReader(out)
	return c.process.Start()
}

// Close ends the program.
func (c *Child) Close() error {
	c.in.Close()
	timer := time.AfterFunc(c.Silence, func() { c.process.Process.Kill() })
	defer timer.Stop()
	return c.process.Wait()
}

// Start is a new stage, in a new process if the one before broke.
func (c *Child) Start() (drivertest.Stage, error) {
	if c.process.ProcessState != nil {
		if err := c.begin(); err != nil {
			return nil, err
		}
	}
	if err := c.ask(map[string]string{"do": "start"}); err != nil {
		return nil, err
	}
	return childStage{c}, nil
}

// ask sends a request and waits for its answer.
func (c *Child) ask(request map[string]string) error {
	c.last = reply{}
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	hangs := time.AfterFunc(c.Silence, func() { c.process.Process.Kill() })
	defer hangs.Stop()
	_, err = c.in.Write(append(text, '\n'))
	var line []byte
	if err == nil {
		line, err = c.out.ReadBytes('\n')
	}
	if err != nil {
		return c.broken(fmt.Errorf("the stage is gone, or said nothing for %v: %w", c.Silence, err))
	}
	if err := json.Unmarshal(line, &c.last); err != nil {
		return c.broken(fmt.Errorf("the stage answers no JSON: %w", err))
	}
	if c.last.Fatal {
		first, _, _ := strings.Cut(c.last.Error, "\n")
		fmt.Fprintln(os.Stderr, c.last.Error)
		return c.broken(errors.New("the driver broke: " + first))
	}
	if c.last.Error != "" {
		return errors.New(c.last.Error)
	}
	return nil
}

// broken ends a program that is of no use any more.
func (c *Child) broken(err error) error {
	c.process.Process.Kill()
	c.process.Wait()
	return err
}

// childStage is one stage of a child.
type childStage struct{ child *Child }

func (s childStage) Do(in drivertest.Input) error {
	return s.child.ask(map[string]string{"do": "input", "input": in.String()})
}

func (s childStage) Calls() []string { return s.child.last.Lines }

func (s childStage) Open() bool { return s.child.last.Open }

// End returns what is called when everything returns, and why if that does not end well.
func (s childStage) End() []string {
	if s.child.process.ProcessState != nil {
		return nil
	}
	if err := s.child.ask(map[string]string{"do": "end"}); err != nil {
		return []string{err.Error()}
	}
	return s.child.last.Lines
}
