// Package display turns what a server sent into text for a person: results, why a call failed,
// what the server logs, how far a call is and how its task stands. It also writes results for
// programs, as they came.
package display
