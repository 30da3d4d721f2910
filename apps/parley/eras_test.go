//go:build unix

package main_test

import (
	"testing"
)

// answersForGreet are for a server that asks by requests of its own, which have
// no keys, and for one that asks by results.
const answersForGreet = `{"answers":[
	{"key":"","action":"accept","content":{"name":"Ada"}},{"key":"","action":"accept","content":{"town":"Oslo"}},
	{"key":"name","action":"accept","content":{"name":"Ada"}},{"key":"town","action":"accept","content":{"town":"Oslo"}}]}`

// TestEras asks the same over each transport in each version: the person
// cannot tell the difference.
func TestEras(t *testing.T) {
	t.Parallel()
	for _, version := range []string{current, latest, middle, oldest} {
		for name, way := range ways(t, version) {
			for _, engine := range []string{"wasm", "native"} {
				t.Run(version+"/"+name+"/"+engine, func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					got := run(t, "", with(way, "call", "greet", "--engine", engine, "--script", file(t, answersForGreet), "--state-dir", dir)...)
					got.check(t, 0, "Hello Ada of Oslo.\n")
					got.says(t, "for the tool greet · question 1 of round 1", "│ What is your name?", "  name: Ada", "│ What is your town?", "  town: Oslo")
					checkEmpty(t, dir)
					run(t, "", with(way, "prompt", "hello", "--engine", engine)...).check(t, 0, "Hello.")
					run(t, "", with(way, "read", "https://peer.example/motto", "--engine", engine)...).check(t, 0, "Onwards.\n")
				})
			}
		}
	}
}

// TestSurvey has an earlier server ask a model and for folders.
func TestSurvey(t *testing.T) {
	t.Parallel()
	for _, version := range []string{latest, middle, oldest} {
		for name, way := range ways(t, version) {
			t.Run(version+"/"+name, func(t *testing.T) {
				t.Parallel()
				args := []string{"survey", "--sample-cmd", sampleCommand(), "--sample-yes", "--root", ".", "--root", t.TempDir()}
				got := run(t, "", with(way, "call", args...)...)
				got.check(t, 0, "2 words. 2 folder(s)\n")
				got.says(t, "asks for a model's answer", "asks for the folders it may work on", "→ shared 2 folders")
				got = run(t, "", with(way, "call", "survey")...) // neither was declared
				got.check(t, 3, "")
				got.says(t, "answered with error -32601")
			})
		}
	}
}

// TestEarlierRefusals is about questions that a server waits for: declining
// and dismissing tells it so, and whatever else ends the call ends it there.
func TestEarlierRefusals(t *testing.T) {
	t.Parallel()
	for name, way := range ways(t, latest) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call := func(answers string) (ending, string) {
				dir := t.TempDir()
				return run(t, "", with(way, "call", "greet", "--state-dir", dir, "--script", file(t, answers))...), dir
			}
			got, _ := call(`{"answers":[{"key":"","action":"decline"}]}`)
			got.check(t, 0, "No greeting: decline.\n")
			got, _ = call(`{"answers":[{"key":"","action":"cancel"}]}`)
			got.check(t, 0, "No greeting: cancel.\n")
			got, dir := call(`{"answers":[{"key":"","action":"accept","content":{"name":"Ada"}},{"key":"","action":"stop"}]}`)
			got.check(t, 4, "")
			got.says(t, "→ stopped", "you stopped the call to the tool greet", "it may have done part of its work. Nothing is kept.")
			checkEmpty(t, dir)
			got, dir = call(`{"answers":[{"key":"","action":"accept","content":{"name":"Ada"}}]}`)
			got.check(t, 6, "")
			got.says(t, `has no answer left for the question ""; add one to its "answers": {"key": "", "action": "accept", "content": {"town": <text>}}`, "It is in doubt", "parked as ")
			got = run(t, "", with(way, "call", "greet", "--state-dir", dir)...)
			got.check(t, 6, "")
			got.says(t, "nobody is here to answer", "It is in doubt", "parked as ")
		})
	}
}

// TestSignIn opens a page that an earlier server needs before it serves the
// call at all.
func TestSignIn(t *testing.T) {
	t.Parallel()
	answers := file(t, `{"answers":[{"key":"e1","action":"accept"},{"key":"e1","action":"accept"}]}`)
	got := run(t, "", with([]string{overHTTP(t, latest)}, "call", "sign_in", "--script", answers)...)
	got.check(t, 0, "You are in.\n")
	got.says(t, "asks to open a page", "host: peer.example", "→ accepted; nothing was opened", "still waiting for what you do on its page", "→ checked again")
}
