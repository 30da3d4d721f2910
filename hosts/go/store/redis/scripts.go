package redis

import (
	_ "embed"

	"github.com/redis/rueidis"
)

// The scripts are files, which implementations in other languages use as they are.
// Each is what it begins with, if anything, and its own text.
//
// A call is a hash: v, the layout; token, of who had it last; until they gave it back
// number and step, the last step's number and random id; and from the first Save on
// at, its time in microseconds, snap, about and tag. Its lock holds the token of who
// has it, and is gone when the lease is over. What is done leaves the token for two
// minutes, for whoever lost the answer. A token that was given back is void for as
// long: a take that arrives late takes nothing.
//
// What frees memory uses no command that a full server refuses.
var (
	//go:embed scripts/begin.lua
	begin string

	// taking goes on unless the token was given back.
	//
	//go:embed scripts/taking.lua
	taking string

	// fencing goes on for who has the call, or had it last, and nobody took it
	// since, unless this step or a later one was made before.
	//
	//go:embed scripts/fenced.lua
	fencing string

	// ending goes on like fencing, and is done where it was done before.
	//
	//go:embed scripts/ending.lua
	ending string

	//go:embed scripts/create.lua
	createText string
	//go:embed scripts/take.lua
	takeText string
	//go:embed scripts/save.lua
	saveText string
	//go:embed scripts/renew.lua
	renewText string
	//go:embed scripts/done.lua
	doneText string
	//go:embed scripts/release.lua
	releaseText string
	//go:embed scripts/discard.lua
	discardText string
	//go:embed scripts/look.lua
	lookText string
	//go:embed scripts/mark.lua
	markText string
)

var (
	create  = rueidis.NewLuaScript(begin + taking + createText)
	take    = rueidis.NewLuaScript(begin + taking + takeText)
	save    = rueidis.NewLuaScript(begin + fencing + saveText)
	renew   = rueidis.NewLuaScript(begin + fencing + renewText)
	done    = rueidis.NewLuaScript(begin + ending + doneText)
	release = rueidis.NewLuaScript(begin + ending + releaseText)
	discard = rueidis.NewLuaScript(begin + discardText)

	// look reads what a list shows of a call. An index whose call is gone forgets it.
	look = rueidis.NewLuaScript(lookText)

	// mark notes that a state was used, by whom, two minutes longer than it can be.
	mark = rueidis.NewLuaScript(markText)
)
