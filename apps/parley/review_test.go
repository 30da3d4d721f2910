//go:build unix

package main_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// review is a person at the review of ten values, the first of which is very long.
func review(t *testing.T, width, height int) *terminal {
	t.Helper()
	properties := []string{`"essay":{"type":"string","title":"Essay","default":"` + strings.Join(essay(), " ") + `"}`}
	for i := range 9 {
		properties = append(properties, fmt.Sprintf(`"f%d":{"type":"string","title":"Field %d","default":"value %d"}`, i, i, i))
	}
	url, _ := rawServer(t, `"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create",
		"params":{"message":"Is it right?","requestedSchema":{"type":"object","properties":{`+strings.Join(properties, ",")+`}}}}}}`,
		`"result":{"resultType":"complete","content":[{"type":"text","text":"got it"}]}`)
	w := start(t, width, height, "call", url, "x", "--label", "the desk")
	w.sees("Essay")
	for i := range 9 {
		w.press(enter)
		w.sees(fmt.Sprintf("Field %d", i))
	}
	w.press(enter)
	w.sees("Essay: w0e")
	return w
}

// essay is words that no other text has.
func essay() []string {
	words := make([]string, 300)
	for i := range words {
		words[i] = fmt.Sprintf("w%de", i)
	}
	return words
}

// position is how many lines the screen says to be above and below.
func position(screen string) (above, below int) {
	for _, found := range regexp.MustCompile(`(\d+) (lines? above|lines? below|↑|↓)`).FindAllStringSubmatch(screen, -1) {
		n, _ := strconv.Atoi(found[1])
		if strings.HasSuffix(found[2], "above") || found[2] == "↑" {
			above = n
		} else {
			below = n
		}
	}
	return above, below
}

// TestReview reads a review that is longer than the screen: what can be done with it
// is always there, and so is how much there is above and below.
func TestReview(t *testing.T) {
	t.Parallel()
	long := []string{"Send this to the desk?", "Send\n", "Decline: tell the server no", "Dismiss: close it without choosing", "Park: keep everything and resume later", "Stop this call"}
	tests := map[string]struct {
		width, height int
		always        []string
		send          string
	}{
		"24 by 80":  {80, 24, long, "> Send"},
		"10 by 100": {100, 10, []string{"Send this to the desk?", "Send  Decline  Dismiss  Park  Stop"}, ">Send"},
		"10 by 40":  {40, 10, []string{"Send this to the desk?", "Send  Decline  Dismiss  Park  Stop"}, ">Send"},
		"5 by 20":   {20, 5, []string{"Send  Decline\n", "Dismiss  Park\n", "Stop"}, ">Send"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := review(t, tt.width, tt.height)
			w.sees(append(tt.always, tt.send, "Essay: w0e")...) // from its beginning
			_, all := position(w.look())
			read := map[string]bool{}
			for above := -1; ; {
				screen := w.look()
				now, below := position(screen)
				if now == above {
					t.Fatalf("it does not scroll from line %d:\n%s", above, screen)
				}
				if now+below != all {
					t.Fatalf("%d lines above and %d below, of %d:\n%s", now, below, all, screen)
				}
				above = now
				for _, word := range regexp.MustCompile(`w\d+e`).FindAllString(screen, -1) {
					read[word] = true
				}
				if below == 0 {
					break
				}
				w.press(pageDown)
				w.sees(tt.always...)
				w.wait(func(screen string) string {
					if now, _ := position(screen); now == above {
						return "the next page"
					}
					return ""
				})
			}
			for _, word := range essay() {
				if !read[word] {
					t.Errorf("%s was not on the screen", word)
				}
			}
			w.sees("value 8", tt.send) // where Enter is did not move
			w.press(home)
			w.sees(append(tt.always, "Essay: w0e", fmt.Sprintf("%d lines below", all))...)
			w.press(end)
			w.sees(append(tt.always, "value 8", fmt.Sprintf("%d lines above", all))...)
			w.press(home, up)
			w.sawGo(tt.send)
			w.sees(append(tt.always, "value 8")...)
			w.press(pageUp)
			w.sawGo("value 8")
			w.press(end, down)
			w.sees(append(tt.always, tt.send)...)
			w.press(enter)
			w.sees("got it")
			w.ends(0)
		})
	}
}

// TestReviewByLines goes through a value that is longer than the screen.
func TestReviewByLines(t *testing.T) {
	t.Parallel()
	w := review(t, 40, 10)
	w.press(down, down, down, down, down) // past Stop
	w.sees("> • Essay: w0e")
	for n := 1; n <= 3; n++ {
		w.press(down)
		w.wait(func(screen string) string {
			if above, _ := position(screen); above != n {
				return "the next line"
			}
			return ""
		})
	}
	w.press(up, up, up)
	w.sees("> • Essay: w0e")
	w.press(enter)
	w.sees("Essay\n") // to be changed
	w.press(enter)
	w.sees("Send this to the desk?", ">Send")
	w.press("p")
	w.sees("→ parked")
	w.ends(5)
}

// TestMenuInFewLines opens what can be done with a question where there is little room.
func TestMenuInFewLines(t *testing.T) {
	t.Parallel()
	w := start(t, 30, 6, "call", server(t), "get_weather", "location=Oslo", "--label", "the desk")
	w.sees("Metric")
	w.press(escape)
	w.sees("This question of the desk", ">Continue  Decline  Dismiss", " Park  Stop")
	w.press("\x1b[C", "\x1b[C") // to the right
	w.sees(">Dismiss")
	w.press(enter)
	w.sees("→ dismissed")
	w.ends(0)
}
