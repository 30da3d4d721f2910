package stories_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// message is what the question under key says.
func (r response) message(t *testing.T, key string) string {
	t.Helper()
	var q struct{ Params struct{ Message string } }
	if err := json.Unmarshal(r.Result.InputRequests[key], &q); err != nil || q.Params.Message == "" {
		t.Fatalf("no question %s: %s", key, r.body)
	}
	return q.Params.Message
}

func TestBookRoom(t *testing.T) {
	c := newClient(t, stories.Options{})
	book := tool("book_room", `{"team":"Ada's team"}`)
	need := accept("elicitation-1", `{"people":4,"screen":false}`)

	first := c.post(book, "", "")
	if got, want := first.message(t, "elicitation-1"), "What does the meeting of Ada's team need?"; got != want {
		t.Errorf("first question: got %q, want %q", got, want)
	}
	second := c.post(book, need, first.echo())
	question := second.message(t, "elicitation-2")
	room, _, free := strings.Cut(question, " is free in the morning. Book it for Ada's team?")
	if !free || !strings.HasPrefix(room, "Room ") {
		t.Fatalf("second question: got %q", question)
	}
	for range 3 { // the room stays the same, whatever is free by now
		if second = c.post(book, "", second.echo()); second.message(t, "elicitation-2") != question {
			t.Fatalf("asked again: got %q, want %q", second.message(t, "elicitation-2"), question)
		}
	}
	last := second.echo()
	for answers, want := range map[string]string{
		accept("elicitation-2", `{"book":true}`):  room + " is booked for Ada's team and 4 people in the morning.",
		accept("elicitation-2", `{"book":false}`): "No room was booked: " + room + " will not do.",
		decline("elicitation-2"):                  "No room was booked: " + room + " will not do.",
		accept("elicitation-1", `{"people":40}`):  "input_required elicitation-2",
	} {
		if got := c.post(book, answers, last).end(); got != want {
			t.Errorf("after %s: got %q, want %q", answers, got, want)
		}
	}
	if got, want := c.post(book, cancel("elicitation-1"), first.echo()).end(), "No room was booked: the user gave Ada's team's meeting up."; got != want {
		t.Errorf("cancelled: got %q, want %q", got, want)
	}
}
