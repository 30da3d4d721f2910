package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"
)

// said is one line to the other side.
type said map[string]any

// answer is one line back.
type answer struct {
	Go, Park, Refuse bool
	Answer           json.RawMessage
}

// person is whoever reads stdout and writes stdin.
type person struct {
	mu      sync.Mutex
	answers chan answer
	park    chan struct{} // closed if the call is to be parked although nothing is asked
}

func listen() *person {
	p := &person{answers: make(chan answer), park: make(chan struct{})}
	go func() {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			if lines.Text() == "park" {
				close(p.park)
				continue
			}
			var a answer
			if json.Unmarshal(lines.Bytes(), &a) == nil {
				p.answers <- a
			}
		}
		close(p.answers)
	}()
	return p
}

func (p *person) tell(what said) {
	p.mu.Lock()
	defer p.mu.Unlock()
	json.NewEncoder(os.Stdout).Encode(what)
}

func (p *person) ask(ctx context.Context, what said) (answer, error) {
	p.tell(what)
	select {
	case a, ok := <-p.answers:
		if !ok {
			return a, io.EOF
		}
		return a, nil
	case <-ctx.Done():
		return answer{}, context.Cause(ctx)
	}
}
