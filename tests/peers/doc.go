// Command peers measures whole calls of Parley's beside those of other clients,
// and tokens of its codec beside other people's. `./build.sh bench` runs it.
//
// Every client plays the same call: the peer gives each the same bytes
// ([hosttest.Peer]), and a question is answered at once. What a client costs
// beside that is its own: a session, the SDKs and a core's host make and read
// JSON-RPC text for every leg, and over requests that is the work of whose
// connection it is. The clients of a table take turns, so that what holds up the
// machine for a while holds up all of them: a ratio is the median of those in
// each turn.
package main
