package servers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// call is a call of the table, the answers to what it asks, and what comes of it. $DIR stands for the server's directory and
// $WEB for a site on this machine.
type call struct {
	// One of them is set. name tells apart calls of the same one.
	tool, prompt, resource string
	name                   string

	arguments string // a JSON object
	task      bool   // asked for as a task of 2025-11-25

	forms []form   // how a person answers, in turn
	asks  []string // what is asked: form, page, sampling, roots

	text       string   // all text of the result
	has        []string // or parts of it
	structured string   // structuredContent as JSON, or sameJSONAsText
	wraps      string   // the name under which structuredContent has the text, for servers that do that
	value      string   // what it has there, if it is not the text
	holds      []string // parts of the result's JSON, where that is seen
	fails      bool     // the tool says that it failed
	refused    bool     // or the server says so by a JSON-RPC error, as SDKs differ
	steps      int      // how often progress is reported
	log        string   // a part of what is logged

	after func(dir string) error // looks at what the call left
}

// form is an answer to a form: accepted with content, or declined.
type form struct{ content string }

func (f form) action() string {
	if f.content == "" {
		return "decline"
	}
	return "accept"
}

// target is what is called, and kind how it is spelled on the command line.
func (c call) target() (kind, target string) {
	switch {
	case c.tool != "":
		return "call", c.tool
	case c.prompt != "":
		return "prompt", c.prompt
	}
	return "read", c.resource
}

func (c call) String() string {
	_, target := c.target()
	if c.name != "" {
		target += ", " + c.name
	}
	return target
}

const sameJSONAsText = "the text"

// outcome is what a route saw of a call.
type outcome struct {
	raw     []byte // the result as JSON; nil if only its text was printed
	printed string // that
	failed  bool
	refused string // the text of an error in place of a result
	asked   []string
	steps   int
	logs    string
	strange []string
}

// read is a result of any method: its text, and what else is looked at.
type read struct {
	text       string
	structured json.RawMessage
	failed     bool
}

func readResult(raw []byte) (r read, err error) {
	type block struct {
		Type, Text string
		Resource   struct{ Text string }
	}
	var result struct {
		Content           []block
		StructuredContent json.RawMessage
		IsError           bool
		Messages          []struct{ Content block }
		Contents          []struct{ Text string }
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return r, err
	}
	var texts []string
	for _, message := range result.Messages {
		result.Content = append(result.Content, message.Content)
	}
	for _, b := range result.Content {
		if b.Type == "text" || b.Resource.Text != "" {
			texts = append(texts, b.Text+b.Resource.Text)
		}
	}
	for _, c := range result.Contents {
		texts = append(texts, c.Text)
	}
	return read{strings.Join(texts, "\n"), result.StructuredContent, result.IsError}, nil
}

// problems are where an outcome is not what the call comes to.
func (c call) problems(o outcome) (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	problems = append(problems, o.strange...)
	if o.refused != "" {
		if !c.refused {
			say("error: %s", o.refused)
		}
		c.checkText(o.refused, say)
		return problems
	}
	if o.failed != (c.fails || c.refused) {
		say("the result is an error: %v", o.failed)
	}
	if o.raw == nil {
		c.checkPrinted(o.printed, say)
	} else {
		c.checkRaw(o.raw, say)
	}
	if !slices.Equal(o.asked, c.asks) {
		say("asked: got %q, want %q", o.asked, c.asks)
	}
	if o.steps != c.steps {
		say("progress: got %d notifications, want %d", o.steps, c.steps)
	}
	if !strings.Contains(o.logs, c.log) {
		say("logged: got %s, want %q in it", cut(o.logs), c.log)
	}
	return problems
}

// structuredFor is what structuredContent has to be beside a text, "" if there is none.
func (c call) structuredFor(text string) string {
	value := c.value
	switch {
	case c.structured == sameJSONAsText:
		return text
	case c.structured != "" || c.wraps == "" || c.tool == "" || c.fails || c.refused:
		return c.structured
	case value == "":
		quoted, _ := json.Marshal(text)
		value = string(quoted)
	}
	return fmt.Sprintf(`{%q:%s}`, c.wraps, value)
}

func (c call) checkRaw(raw []byte, say func(string, ...any)) {
	got, err := readResult(raw)
	if err != nil {
		say("%v", err)
		return
	}
	want := c.structuredFor(got.text)
	if want == "" || c.structured == sameJSONAsText || !sameJSON(got.text, want) {
		c.checkText(got.text, say)
	}
	if (want != "" || got.structured != nil) && !sameJSON(string(got.structured), want) {
		say("structuredContent: got %s, want %s", cut(string(got.structured)), cut(want))
	}
	for _, part := range c.holds {
		if !bytes.Contains(raw, []byte(part)) {
			say("the result is %s, want %q in it", cut(string(raw)), part)
		}
	}
}

// checkPrinted: the text is printed whole and unchanged, and after it structuredContent, if the text is not the same JSON. A line
// end may be added.
func (c call) checkPrinted(got string, say func(string, ...any)) {
	text, whole := strings.TrimSuffix(got, "\n"), false
	if c.structured != "" && sameJSON(got, c.structured) {
		return
	}
	if want := c.structuredFor(text); want != "" && !sameJSON(got, want) {
		for at := range got {
			if got[at] != '{' || whole {
				continue
			}
			for _, text = range []string{got[:at], strings.TrimSuffix(got[:at], "\n")} {
				if whole = sameJSON(got[at:], c.structuredFor(text)); whole {
					break
				}
			}
		}
		if !whole {
			say("printed: got %s, want the text whole, and then structuredContent", cut(got))
			return
		}
	}
	if c.prompt != "" { // which says whose each message is, too
		c.has = append([]string{c.text}, c.has...)
		c.text = ""
	}
	c.text = strings.TrimSuffix(c.text, "\n")
	c.checkText(strings.TrimSuffix(text, "\n"), say)
}

func (c call) checkText(got string, say func(string, ...any)) {
	if c.text != "" && got != c.text {
		say("text: got %s, want %s", cut(got), cut(c.text))
	}
	for _, part := range c.has {
		if !strings.Contains(got, part) {
			say("text: got %s, want %q in it", cut(got), part)
		}
	}
}

// sameJSON reports whether two texts are the same JSON value.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// cut is a text as it is shown where something is wrong.
func cut(text string) string {
	if len(text) <= 600 {
		return strconv.Quote(text)
	}
	return strconv.Quote(text[:300]) + " ... " + strconv.Quote(text[len(text)-200:]) + fmt.Sprintf(" (%d bytes)", len(text))
}
