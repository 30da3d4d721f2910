package interop

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// Person answers as a case says and remembers what was asked. Its methods may
// be called from any goroutine.
type Person struct {
	answers map[string][]Answer

	mu    sync.Mutex
	asked []string
}

// Person returns who answers the case's questions.
func (c Case) Person() *Person { return &Person{answers: c.Answers} }

// Elicit answers a question by its message. Where the case says so, it visits
// the url of one in url mode first.
func (p *Person) Elicit(ctx context.Context, message, url string) (Answer, error) {
	p.mu.Lock()
	answers := p.answers[message]
	nth := 0
	for _, m := range p.asked {
		if m == message {
			nth++
		}
	}
	p.asked = append(p.asked, message)
	p.mu.Unlock()
	if len(answers) == 0 {
		return Answer{}, fmt.Errorf("interop: the case has no answer to %q", message)
	}
	answer := answers[min(nth, len(answers)-1)]
	if answer.First != "" {
		if err := visit(ctx, answer.First); err != nil {
			return Answer{}, err
		}
	}
	if answer.Visit {
		if err := visit(ctx, url); err != nil {
			return Answer{}, err
		}
	}
	return answer, nil
}

func visit(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	if res.Body.Close(); res.StatusCode != http.StatusOK {
		return fmt.Errorf("interop: the page answered %s", res.Status)
	}
	return nil
}

// Sample is the text that the model writes for a text.
func (p *Person) Sample(text string) string {
	p.remember("sampling: " + text)
	return Sampled
}

// ListRoots is the URI of the only root.
func (p *Person) ListRoots() string {
	p.remember("roots")
	return Root
}

func (p *Person) remember(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, what)
}

// Asked is what was asked so far.
func (p *Person) Asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}
