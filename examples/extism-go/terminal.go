package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"
	"unicode"
)

// terminal answers what the server asks.
type terminal struct{ server string }

// elicit asks for a form, a line for each field. The input's end parks the call.
func (t terminal) elicit(ask object) object {
	if ask["mode"] != "form" {
		return object{"type": "refuse", "reason": "this program shows forms only"}
	}
	params := []byte(ask["params"].(string))
	var said struct{ Message string }
	must(0, json.Unmarshal(params, &said))
	var asked form
	must(0, json.Unmarshal(read("form", params), &asked))
	t.say("asks: "+shown(said.Message), ask)
	for _, note := range notes(asked.Unchecked, false) {
		fmt.Println("  " + shown(note))
	}
	content, end := asked.fill()
	if end == nil && len(asked.Fields) == 0 { // only consent is asked for
		_, end = line("Enter agrees")
	}
	if end != nil {
		return end
	}
	return object{"type": "answer", "raw": `{"action":"accept","content":` + content + `}`}
}

// sample has whoever sits here say what a model would.
func (t terminal) sample(ask object) object {
	var params struct {
		Messages []struct {
			Role    string
			Content any
		}
	}
	must(0, json.Unmarshal([]byte(ask["params"].(string)), &params))
	t.say("asks what a model would say to:", ask)
	for _, message := range params.Messages {
		fmt.Printf("  %s: %s\n", shown(message.Role), shown(textOf(message.Content)))
	}
	text, end := line("Answer")
	if end != nil {
		return refused(end)
	}
	reply := object{"role": "assistant", "model": "a person", "content": object{"type": "text", "text": text}}
	return object{"type": "answer", "raw": string(must(json.Marshal(reply)))}
}

// textOf is the text of a message's content, which is one block or several.
func textOf(content any) string {
	switch c := content.(type) {
	case object:
		text, _ := c["text"].(string)
		return text
	case []any:
		var all []string
		for _, block := range c {
			all = append(all, textOf(block))
		}
		return strings.Join(all, " ")
	}
	return ""
}

// listRoots shares the folder this program runs in, if that is wanted.
func (t terminal) listRoots(ask object) object {
	folder := must(os.Getwd())
	t.say("asks which folders it may know of.", ask)
	if _, end := line("Enter tells it of " + folder); end != nil {
		return refused(end)
	}
	root := (&url.URL{Scheme: "file", Path: folder}).String()
	return object{"type": "answer", "raw": `{"roots":[{"uri":` + string(must(json.Marshal(root))) + `}]}`}
}

// refused is how a question that is no form ends: it has no answer that says no.
func refused(end object) object {
	if end["type"] == "answer" {
		return object{"type": "refuse", "reason": "declined"}
	}
	return end
}

func (t terminal) say(what string, ask object) {
	fmt.Printf("\n%s %s\n", t.server, what)
	if problem, ok := ask["problem"].(string); ok {
		fmt.Println("That could not be sent: " + shown(problem))
	}
}

// parked says that the input's end has parked a call; where that was impossible, the next end gives it up.
var parked bool

// line asks for one line, or returns how the question ends.
func line(prompt string) (text string, end object) {
	fmt.Print("  " + prompt + ": ")
	text = "/park"
	if parked {
		text = "/stop"
	}
	if typed.Scan() {
		text = strings.TrimSpace(typed.Text())
	} else {
		parked = true
	}
	switch text {
	case "/park":
		return "", object{"type": "park"}
	case "/stop":
		return "", object{"type": "cancel"}
	case "/decline":
		return "", object{"type": "answer", "raw": `{"action":"decline"}`}
	}
	return text, nil
}

// shown is text of the server, with what a terminal would obey made visible.
func shown(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u{%x}", r)
		}
	}
	return b.String()
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
