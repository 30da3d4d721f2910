// Package drivertest plays the scripts of hosts/testdata/drivers: what a driver
// calls, and in which order, whatever its callbacks, its transport, its caller
// and its engine do. Every driver, in whichever language, is held to the same
// lines.
//
// A script is a text file with one fact. Lines that begin with # say which. In
// each block stands what happens, a line each, and after ---- what the driver
// has called by the time it stands still. Nothing depends on how long something
// takes: a callback returns when a line says so.
//
//	call {"method":"tools/call","params":{"name":"t"},"callbacks":["elicit"]}
//	----
//	send {"leg":1,"method":"tools/call","params":{"name":"t"},"capabilities":{"elicitation":{"form":{}}}}
//
// What can happen, a leg named by its number and a question by its key:
//
//	call {…}           a call: method, params, options; callbacks by name: askers, which
//	                   stand in place of its session's, or noAskers for empty ones, and
//	                   without any of these its session's; watchers, and watchersPanic if
//	                   they do; save and park; session, the askers of the session;
//	                   canceled, the words with which the caller gave up before
//	resume {…}         a new engine goes on with the last snapshot: callbacks, as before if
//	                   absent; expect, the options of a restored call; resend, again and
//	                   moreRounds; "from":"save" takes the snapshot saved last in place of
//	                   the outcome's, snapshot one that stands here
//	response 1 …       the transport brings a response, as it stands here
//	base64 1 …         the same, its bytes in base64
//	lost 1 words       it fails
//	unsent 1 words     it fails, and the request was certainly not sent
//	progress 1 {…}     it reports progress
//	answer who {…}     a question's callback returns this
//	refuse who words   it fails
//	parks who          it parks the call
//	minds who words    it will fail as soon as its context ends; also minds 1
//	panic who words    it panics, or throws; also panic 1 and panic save
//	saved              the callback save returns
//	unsaved words      it fails
//	park               the signal to park
//	cancel words       the caller gives up
//	trap 1             a response comes that traps the engine's instance
//	traps info         the instance traps at the next call of this kind: call, restore,
//	                   step, snapshot or info
//	until send         nothing but time passes until something of this name is called
//
// Before each, other says that it is of a second call, which has the engine in
// common with the first.
//
// What a driver calls, and how it ends:
//
//	send {…}           the transport: leg, method, params, capabilities
//	tell {…}           the transport, for what nobody waits for
//	elicit {…}         a question: ask, key, mode, params, round; host, loopback, punycode,
//	                   repeat, problem and earlier where there are any; also elicitUrl,
//	                   sample and listRoots
//	save               the callback save
//	leg, pause, task, progress, note {…}
//	                   the callbacks that watch
//	aborted 1          the context of a leg has ended
//	withdrawn who      the context of a question has ended
//	done {…}           the end: result, or base64 where it is no UTF-8; noStore
//	parked             the end, with a snapshot
//	failed {…}         the end: code, detail, resumable, with a snapshot; inDoubt; response;
//	                   cause, if the words are in it. Code 27 is a trap.
//	misuse {…}         the end, before it began: code and detail if the engine says so
//
// What watches, what is saved and how it ends stands in the order in which it was
// called; before the end come aborted and withdrawn, legs and questions, which
// are called at the same time.
//
// Two lines of the header have a meaning:
//
//	# to change: go: what it does today
//	# needs: instance
//	# needs: clock
//
// The first marks a script as what is wanted of a driver that does something else
// today: it must fail there, so that a mark that no longer holds is found. The
// others are for hosts whose engine is WebAssembly, and for those that wait out a
// pause themselves.
//
// Package hostile makes up what happens, and judges what a driver calls then.
package drivertest
