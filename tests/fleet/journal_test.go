package fleet_test

import (
	"fmt"
	"os"
	"strings"
)

// journal is what the server and all instances wrote down, in the order in which
// they did: each entry is one write at the end of one file, so that a process that is
// killed has written it or has not. Instances in other languages write the same.
//
//	received ID BY    the server got a request of the call from a process
//	effect ID         the server did what it was asked for
//	parked ID         an instance was told that the call is kept
//	ask ID QUESTION   somebody was asked
//	saved ID QUESTION their answer was shown as saved
//	done ID           somebody was told that the call is done
//	failed ID         ... that it has failed for good
//	saving ID BY      a process begins to save the call, before it sends, or after it was answered
//	doubt ID          an instance found the call in doubt, and kept it
//	resend ID         somebody wants it to be sent again all the same
type journal string

func (j journal) write(words ...any) error {
	file, err := os.OpenFile(string(j), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprint(file, fmt.Sprintln(words...))
	return err
}

// check returns what is in a journal that must not be, or is missing; left are the
// calls that are still listed.
func (j journal) check(left map[string]bool) (wrong []string) {
	text, err := os.ReadFile(string(j))
	if err != nil {
		return []string{err.Error()}
	}
	complain := func(format string, a ...any) { wrong = append(wrong, fmt.Sprintf(format, a...)) }
	parked, over, doubt := map[string]bool{}, map[string]string{}, map[string]bool{}
	effects, saved := map[string]int{}, map[string]bool{}
	saver, flying := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		words := append(strings.Fields(line), "", "")
		what, id, question, by := words[0], words[1], words[2], words[2]
		switch what {
		case "received":
			flying[id] = flying[id] || saver[id] == by // what others sent may come late
		case "effect":
			effects[id]++
		case "parked":
			parked[id] = true
		case "ask":
			if saved[id+question] {
				complain("%s: question %s was asked again after its answer was saved", id, question)
			}
		case "saved":
			saved[id+question] = true
		case "done", "failed":
			over[id] = what
		case "saving":
			if flying[id] && saver[id] != by {
				complain("%s: its leg was in flight, and somebody else went on", id)
			}
			saver[id], flying[id] = by, false
		case "resend":
			flying[id], doubt[id] = false, false
		case "doubt":
			doubt[id] = true
		}
	}
	for id, n := range effects {
		if n > 1 {
			complain("%s: %d effects", id, n)
		}
	}
	for id, is := range doubt {
		if is && !left[id] {
			complain("%s: in doubt, and not listed", id)
		}
	}
	for id := range parked {
		switch {
		case over[id] == "done" && effects[id] != 1:
			complain("%s: reported done, with %d effects", id, effects[id])
		case over[id] == "" && !left[id] && effects[id] != 1:
			complain("%s: lost", id)
		}
	}
	return wrong
}

// count is how many entries of a kind there are.
func (j journal) count(what string) int {
	text, _ := os.ReadFile(string(j))
	return strings.Count("\n"+string(text), "\n"+what+" ")
}
