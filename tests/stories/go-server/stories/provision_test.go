package stories_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

const (
	withTasks = `{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	consent   = `{"confirm":{"action":"accept","content":{"confirm":true}}}`
)

// machineTask is the task of provision as it stands.
type machineTask struct {
	ResultType, TaskID, Status, StatusMessage string
	InputRequests                             map[string]struct{ Params struct{ Message string } }
	Result                                    struct{ Content []struct{ Text string } }
}

func (r response) task(t *testing.T) (task machineTask) {
	t.Helper()
	var message struct{ Result *machineTask }
	if err := json.Unmarshal([]byte(r.body), &message); err != nil || message.Result == nil {
		t.Fatalf("no result: %s", r.body)
	}
	return *message.Result
}

// TestProvision plays the rounds and the task, with the status messages that a
// client sees.
func TestProvision(t *testing.T) {
	tests := map[string]struct {
		answers []string // to the questions in the task, one after another
		want    string
	}{
		"accepted":  {[]string{`{"action":"accept","content":{"user":"ada"}}`}, "ada may log in with a key."},
		"password":  {[]string{`{"action":"accept","content":{"user":"ada","password":true}}`}, "ada may log in with a key or a password."},
		"declined":  {[]string{`{"action":"decline"}`}, "Nobody may log in yet."},
		"cancelled": {[]string{`{"action":"cancel"}`}, "Nobody may log in yet."},
		"corrected": {[]string{`{"action":"accept","content":{"user":""}}`, `{"action":"accept","content":{"user":"ada"}}`}, "ada may log in with a key."},
		"unusable": {[]string{`{"action":"accept","content":{}}`, `{"action":"yes"}`, `{"action":"accept","content":{"user":7}}`},
			"Nobody may log in yet: there was no usable answer."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, stories.Options{Step: 20 * time.Millisecond})
			c.capabilities = withTasks
			provision := tool("provision", `{"name":"web-1"}`)
			first := c.post(provision, "", "")
			if got, want := first.message(t, "confirm"), "web-1 costs 48 EUR a month. Provision it?"; got != want {
				t.Fatalf("question: got %q, want %q", got, want)
			}
			made := c.post(provision, consent, first.echo()).task(t)
			if made.ResultType != "task" {
				t.Fatalf("after the consent: got %+v, want a task", made)
			}
			var said []string
			for n := 0; ; time.Sleep(2 * time.Millisecond) {
				got := c.post(request{"tasks/get", made.TaskID, fmt.Sprintf(`"taskId":%q`, made.TaskID)}, "", "").task(t)
				if got.StatusMessage != "" && !slices.Contains(said, got.StatusMessage) {
					said = append(said, got.StatusMessage)
				}
				key := fmt.Sprintf("login-%d", n+1)
				if question, asked := got.InputRequests[key]; asked {
					if again := strings.HasPrefix(question.Params.Message, "That answer could not be used."); again != (n > 0) {
						t.Errorf("question %d: got %q", n+1, question.Params.Message)
					}
					c.post(request{"tasks/update", made.TaskID, fmt.Sprintf(`"taskId":%q`, made.TaskID)}, fmt.Sprintf(`{%q:%s}`, key, tt.answers[n]), "")
					n++
				}
				if got.Status == "completed" {
					if text, want := got.Result.Content[0].Text, "Provisioned web-1 for 48 EUR a month. "+tt.want; text != want || n != len(tt.answers) {
						t.Errorf("after %d answers: got %q, want %q", n, text, want)
					}
					break
				}
			}
			if want := []string{"Waiting to be told who may log in", "web-1 is ready."}; !slices.Contains(said, want[0]) || said[len(said)-1] != want[1] {
				t.Errorf("status messages: got %q, want %q among them", said, want)
			}
		})
	}
}

func TestProvisionNothing(t *testing.T) {
	tests := map[string]struct {
		capabilities, answers string
		want                  string
	}{
		"declined":     {withTasks, decline("confirm"), "Nothing was provisioned: the user declined."},
		"cancelled":    {withTasks, cancel("confirm"), "Nothing was provisioned: the user cancelled."},
		"not accepted": {withTasks, accept("confirm", `{"confirm":false}`), "Nothing was provisioned: the user did not accept the monthly cost."},
		"no tasks": {everything, "", `-32021 This needs a client that declares the extension io.modelcontextprotocol/tasks ` +
			`{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`},
		"no forms": {`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, "", `-32021 This needs a client that declares the elicitation capability ` +
			`{"requiredCapabilities":{"elicitation":{"form":{}}}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, stories.Options{})
			c.capabilities = tt.capabilities
			provision := tool("provision", `{"name":"web-1"}`)
			res := c.post(provision, "", "")
			if tt.answers != "" {
				res = c.post(provision, tt.answers, res.echo())
			}
			if got := res.end(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
