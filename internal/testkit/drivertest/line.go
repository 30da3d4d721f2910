package drivertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Ask is a question as a line has it.
type Ask struct {
	Ask      int             `json:"ask"`
	Key      string          `json:"key"`
	Mode     string          `json:"mode,omitempty"`
	Params   json.RawMessage `json:"params,omitempty"`
	Round    int             `json:"round"`
	Host     string          `json:"host,omitempty"`
	Loopback bool            `json:"loopback,omitempty"`
	Punycode bool            `json:"punycode,omitempty"`
	Repeat   bool            `json:"repeat,omitempty"`
	Problem  string          `json:"problem,omitempty"`
	Earlier  json.RawMessage `json:"earlier,omitempty"`
}

// Send is a request as a line has it; as a tell it has no leg.
type Send struct {
	Leg          int             `json:"leg,omitempty"`
	Method       string          `json:"method"`
	Params       json.RawMessage `json:"params"`
	Capabilities json.RawMessage `json:"capabilities"`
}

// Failed is the end of a call without a result.
type Failed struct {
	Code      int             `json:"code"`
	Detail    string          `json:"detail,omitempty"` // of a trap it is the host's own
	Resumable bool            `json:"resumable,omitempty"`
	InDoubt   bool            `json:"inDoubt,omitempty"`
	Response  json.RawMessage `json:"response,omitempty"`
	Cause     string          `json:"cause,omitempty"`
}

// Leg and Pause are notices of what goes out and comes back, and of what is
// waited for.
type (
	Leg struct {
		Leg    int    `json:"leg"`
		Method string `json:"method,omitempty"`
		Size   int    `json:"size,omitempty"`
		Answer string `json:"answer,omitempty"`
		State  int    `json:"state,omitempty"`
		Asks   int    `json:"asks,omitempty"`
	}
	Pause struct {
		Waits int `json:"waits,omitempty"` // until when depends on the clock
	}
)

// Task is how a task stands.
type Task struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

// Progress is progress of a leg.
type Progress struct {
	Leg    int             `json:"leg"`
	Params json.RawMessage `json:"params"`
}

// Note is a record of an audit, without its time.
type Note struct {
	Kind   string `json:"kind"`
	Leg    int    `json:"leg,omitempty"`
	Ask    int    `json:"ask,omitempty"`
	Action string `json:"action,omitempty"`
}

// Misuse is the end of a call before it began.
type Misuse struct {
	Code   int    `json:"code,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Line is a name and an object; raw members stay as they are.
func Line(name string, object any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(object); err != nil {
		return name + " that is no JSON: " + err.Error()
	}
	return name + " " + strings.TrimSuffix(b.String(), "\n")
}

// Done is the line of a result.
func Done(result []byte, noStore bool) string {
	text := `"result":` + string(result)
	if !utf8.Valid(result) {
		text = `"base64":"` + base64.StdEncoding.EncodeToString(result) + `"`
	}
	if noStore {
		text += `,"noStore":true`
	}
	return "done {" + text + "}"
}

// Sorted is what a driver called in the order of the lines: see the package's
// words. What is called at the same time may come in any order.
func Sorted(calls []string) []string {
	rank := func(line string) int {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "other "), " ")
		switch name {
		case "aborted", "withdrawn":
			return 1
		case "send", "tell":
			return 2
		case "elicit", "elicitUrl", "sample", "listRoots":
			return 3
		case "done", "parked", "failed", "misuse":
			return 4
		}
		return 0
	}
	var concurrent []string
	var sorted []string
	end := -1
	for _, line := range calls {
		switch r := rank(line); {
		case r >= 1 && r <= 3:
			concurrent = append(concurrent, line)
			continue
		case r == 4 && end < 0:
			end = len(sorted)
		}
		sorted = append(sorted, line)
	}
	slices.SortStableFunc(concurrent, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(order(a), order(b))
	})
	if end < 0 {
		end = len(sorted)
	}
	return slices.Insert(sorted, end, concurrent...)
}

// order is what lines that come at the same time are sorted by: the object,
// which begins with the number of the leg or of the question.
func order(line string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(line, "other "), " ")
	return rest
}
