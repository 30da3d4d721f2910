// Package soak holds the Go host's Session to its promises under load and over
// a bad network. It has tests only.
//
// TestLoad makes 10,000 calls at once over one session, each with two rounds of
// questions that nobody answers until everybody is asked.
//
// TestSoak makes calls over HTTP to a server that drops, delays, repeats,
// mixes up and refuses, and goes on with every call from its snapshot until it
// is done; TestSoakEarlier does with a server of an earlier era. Both sides
// write down what they did, and every call's two accounts are compared: no
// answer lost, doubled or in another call; nothing executed twice unless the
// caller asked for it; what was reported done was executed, what was reported
// not carried out was not; no question asked twice; nothing left behind.
//
//	go test ./tests/soak -run Soak                          5 s for each era
//	SOAK=60s go test ./tests/soak -run Soak                 30 s for each era
//	go test ./tests/soak -run Soak -timeout 0 -calls 100000
//	go test ./tests/soak -run Soak -calls 500 -seed 7       again what -seed 7 did
//
// The seed decides what every call asks, what its callbacks do and what befalls
// each of its requests. It does not decide which calls run at the same time.
//
// TestLeaks ends calls in each of the ways they can end early, hundreds of
// times on one session, and looks for what is left behind.
package soak
