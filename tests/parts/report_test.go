package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	var long strings.Builder
	for i := range 40 {
		fmt.Fprintf(&long, "line %d\nok  package%d\n", i, i)
	}
	tasks := []*task{
		{part: part{name: "b"}, result: "b FAIL", failed: true, logs: []string{"", long.String() + strings.Repeat("x", 400) + "\n"}},
		{part: part{name: "a"}, result: "a PASS", logs: []string{"set up", "passed"}},
		{part: part{name: "c"}, result: "c SKIP", failed: true, logs: []string{"there is no c"}},
	}
	var out strings.Builder
	report(&out, tasks, 62*time.Second, 2)
	var lasts strings.Builder
	for i := 11; i < 40; i++ {
		fmt.Fprintf(&lasts, "line %d\n", i)
	}
	want := `
a PASS
b FAIL
c SKIP
3 parts, set up and tested in 62.0 s, 2 at a time

== b did not pass, and said last
` + lasts.String() + strings.Repeat("x", 300) + `

== c did not pass, and said last
there is no c
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", &out, want)
	}
}
