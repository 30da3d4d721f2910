// Package hostile makes sessions up that go as badly as sessions can, plays them
// on a driver, and says what the driver did wrong.
//
// A walk is one session: at each point where the driver stands still, a program
// looks at what waits (requests, questions, a save) and lets one thing happen that
// a number decides, the seed: an answer, an answer that cannot be used, an error, a
// connection that breaks, a save that fails or comes late or never, a caller that
// gives up, a process that dies and one that goes on with the last snapshot. As
// drivers call the same in the same order, a seed is the same walk in each language.
// The words of a walk are those of package drivertest, so a walk is a script.
//
// What must hold, whatever happens:
//
//   - saved: with a save, no request leaves and no question is asked before what led
//     to it was kept, nothing leaves while a save is open, and one save is open at a time.
//   - twice: the same tools/call is not sent again, unless somebody asked for that,
//     the request before was certainly not carried out, or it was answered. No
//     question is asked again that was answered: the snapshot of the end has every
//     answer that came before it, that of a save those that came before that.
//   - doubt: a call that failed is in doubt if and only if a tools/call of it may have
//     been carried out and was not answered. What was kept when the process died says
//     so of the request that was to follow, too.
//   - ends: a caller that gives up gets the end at once, every call ends, what
//     waits at the end is told that it is over, and nothing is called after it. No
//     question is asked after the signal to park.
//
// All of that is decided from outside: by what happened and by what the driver
// called, and by nothing that the driver or the engine says about themselves.
package hostile
