package stories_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

const invalidState = `-32602 Invalid or expired requestState {"reason":"invalid_request_state"}`

func TestStateRejected(t *testing.T) {
	c := newClient(t, stories.Options{})
	resolve := tool("update_work_item", `{"id":7,"state":"Resolved"}`)
	duplicate := accept("resolution", `{"resolution":"Duplicate"}`)
	first := c.post(resolve, "", "").echo()
	second := c.post(resolve, duplicate, first).echo()
	token := strings.Trim(second, `"`)
	changed := []byte(token)
	changed[len(changed)/2] ^= 1

	tests := map[string]struct {
		request request
		state   string
	}{
		"extended":         {resolve, `"` + token + `-TAMPERED"`},
		"cut":              {resolve, `"` + token[:len(token)-1] + `"`},
		"changed":          {resolve, strconv.Quote(string(changed))},
		"other spelling":   {resolve, `"` + token + `\n"`},
		"padded":           {resolve, `"` + token + `="`},
		"nonsense":         {resolve, `"step=2"`},
		"plain":            {resolve, strconv.Quote(`{"keys":["duplicate"],"tries":1,"facts":{"resolution":"Duplicate"}}`)},
		"other arguments":  {tool("update_work_item", `{"id":8,"state":"Resolved"}`), second},
		"other tool":       {tool("get_weather", `{"location":"Oslo"}`), second},
		"other method":     {prompt("code_review", `{}`), second},
		"resource":         {resource("parley://report/quarterly"), second},
		"of other process": {resolve, newClient(t, stories.Options{}).post(resolve, "", "").echo()},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res := c.post(tt.request, accept("duplicate", `{"original_id":3}`), tt.state)
			if got := res.end(); got != invalidState {
				t.Errorf("got %s, want %s", got, invalidState)
			}
			if res.status != http.StatusBadRequest || res.media != "application/json" {
				t.Errorf("got %d %s, want 400 application/json", res.status, res.media)
			}
		})
	}

	t.Run("not a string", func(t *testing.T) {
		if got := c.post(resolve, "", `{}`).Error; got == nil {
			t.Error("got a result, want an error")
		}
	})
	t.Run("same arguments, spelled differently", func(t *testing.T) {
		respelled := tool("update_work_item", ` { "state" : "Re\u0073olved", "id":7 } `)
		want := "Work item 7 is now Resolved as a duplicate of 3."
		if got := c.post(respelled, accept("duplicate", `{"original_id":3}`), second).end(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestStateExpires(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	c := newClient(t, stories.Options{TTL: time.Minute, Now: func() time.Time { return now }})
	weather := tool("get_weather", `{"location":"Oslo"}`)
	state := c.post(weather, "", "").echo()

	now = now.Add(time.Minute - time.Millisecond)
	if got := c.post(weather, decline("units"), state); got.Error != nil {
		t.Errorf("just before: got %s, want a result", got.end())
	}
	now = now.Add(time.Millisecond)
	if got := c.post(weather, decline("units"), state).end(); got != invalidState {
		t.Errorf("at expiry: got %s, want %s", got, invalidState)
	}
}

// An answer nobody asked for must not count: a client could say yes to a cost
// that was never shown.
func TestAnswerWithoutState(t *testing.T) {
	c := newClient(t, stories.Options{})
	res := c.post(tool("provision_vm", `{"size":"large"}`), accept("confirm", `{"confirm":true}`), "")
	if got := res.end(); got != "input_required confirm" {
		t.Errorf("got %q, want the question", got)
	}
}

func TestLogTellsCauseNotState(t *testing.T) {
	var log bytes.Buffer
	c := newClient(t, stories.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	c.post(tool("get_weather", `{"location":"Oslo"}`), accept("units", `{"units":"secret"}`), strconv.Quote("secret.state"))
	if !strings.Contains(log.String(), `cause="codec: malformed"`) {
		t.Errorf("no cause in the log: %s", &log)
	}
	if strings.Contains(log.String(), "secret") {
		t.Errorf("state or answer in the log: %s", &log)
	}
}
