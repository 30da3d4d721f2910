package stories_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// askedURL is the url of the question connect.
func askedURL(t *testing.T, res response) string {
	t.Helper()
	var q struct {
		Params struct{ Mode, URL, Message string }
	}
	if err := json.Unmarshal(res.Result.InputRequests["connect"], &q); err != nil || q.Params.Mode != "url" {
		t.Fatalf("no question in url mode: %s", res.body)
	}
	return q.Params.URL
}

func TestConnect(t *testing.T) {
	c := newClient(t, stories.Options{})
	c.capabilities = `{"elicitation":{"url":{}}}`
	call := tool("connect_account", `{"account":"<mail>"}`)
	const opened = `{"connect":{"action":"accept"}}`

	res := c.post(call, "", "")
	url := askedURL(t, res)
	if !strings.HasPrefix(url, c.url+"/connect/") || len(url) < len(c.url)+len("/connect/")+26 {
		t.Fatalf("url: got %q", url)
	}
	if other := askedURL(t, c.post(call, "", "")); other == url {
		t.Error("two calls have the same url")
	}
	for range 4 { // more often than a useless answer may come
		if res = c.post(call, opened, res.echo()); askedURL(t, res) != url {
			t.Fatalf("not the same url again: %s", res.body)
		}
	}
	get := func(url string, want int) string {
		t.Helper()
		page, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer page.Body.Close()
		text, _ := io.ReadAll(page.Body)
		if page.StatusCode != want {
			t.Errorf("GET: got %d, want %d", page.StatusCode, want)
		}
		return string(text)
	}
	if text := get(url, http.StatusOK); !strings.Contains(text, "&lt;mail&gt;") || !strings.Contains(text, "<button>") {
		t.Errorf("page: got %s", text)
	}
	get(url+"x", http.StatusNotFound)
	if res = c.post(call, opened, res.echo()); res.asks() != "connect" { // looking is not connecting
		t.Fatalf("got %q", res.end())
	}
	pressed, err := http.Post(url, "application/x-www-form-urlencoded", nil)
	if err != nil {
		t.Fatal(err)
	}
	pressed.Body.Close()
	if got := c.post(call, opened, res.echo()).end(); got != "Your <mail> account is connected." {
		t.Errorf("end: got %q", got)
	}
}

func TestConnectRefused(t *testing.T) {
	c := newClient(t, stories.Options{})
	call := tool("connect_account", `{}`)
	if got := c.post(call, "", "").end(); !strings.HasPrefix(got, "-32021 ") || !strings.Contains(got, `{"elicitation":{"url":{}}}`) {
		t.Errorf("undeclared: got %q", got)
	}
	c.capabilities = `{"elicitation":{"url":{}}}`
	for answers, want := range map[string]string{
		decline("connect"): "Nothing was connected: the user declined.",
		cancel("connect"):  "Nothing was connected: the user cancelled.",
	} {
		if got := c.post(call, answers, c.post(call, "", "").echo()).end(); got != want {
			t.Errorf("end: got %q, want %q", got, want)
		}
	}
	res := c.post(call, "", "")
	for range 3 {
		res = c.post(call, "", res.echo())
	}
	if got := res.end(); !strings.HasPrefix(got, "error: No usable answer") {
		t.Errorf("no answers: got %q", got)
	}
}
