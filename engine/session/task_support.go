package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// withTasks is the version in which the client asks for tasks, and tools say
// whether they run as one. In the one before there are none; in the one after, the
// server decides alone.
const withTasks = string(engine.DialectServerRequests)

// runs is how a tool runs.
type runs uint8

const (
	atOnce     runs = iota // and not as a task
	eitherWay              // as the caller wants it
	onlyAsTask             // and not without
)

// knowledge is how much is known of how the tools run.
type knowledge uint8

const (
	nothing knowledge = iota
	pages             // the first of the list, and not the last one
	most              // of the list, as much as is kept: it is not asked for again
	all
)

// takesTasks reports whether the client may ask the server to run tools as tasks.
//
// Source: MCP 2025-11-25, basic/utilities/tasks, Tool-Level Negotiation.
func (s *Session) takesTasks() bool {
	requests := rawjson.Member(rawjson.Member(s.earlier.ready.Capabilities, "tasks"), "requests")
	return s.version == withTasks && rawjson.IsObject(rawjson.Member(rawjson.Member(requests, "tools"), "call"))
}

// learnPage takes it that a page of the tools has come.
func (s *Session) learnPage(isFirst bool, in *message.Message) {
	knows := &s.earlier.knows
	if isFirst {
		*knows = pages
	}
	switch {
	case !rawjson.IsArray(in.Text(message.Tools)):
		*knows = most
	case *knows == pages && in.Cursor(true) == nil:
		*knows = all
	}
}

// learnRuns keeps how a tool runs, and returns its definition as it is to be listed:
// without the offer to run as a task, at a server that takes none. none says why it
// cannot be called at all, "" if it can.
func (s *Session) learnRuns(name string, definition []byte) (listed []byte, none sentence.Text) {
	support := rawjson.Member(rawjson.Member(definition, "execution"), "taskSupport")
	switch {
	case rawjson.Is(support, "required"):
		s.keepTool(tool{name: name, runs: onlyAsTask})
		if !s.takesTasks() {
			return definition, s.noTasks()
		}
	case rawjson.Is(support, "optional"):
		s.keepTool(tool{name: name, runs: eitherWay})
		if !s.takesTasks() {
			return withoutExecution(definition), ""
		}
	}
	return definition, ""
}

// noTasks is why a tool that runs only as a task cannot be called.
func (s *Session) noTasks() sentence.Text {
	return sentence.Say("it runs only as a task, and the server offers none for tools in MCP {0}", sentence.Value(s.version))
}

func withoutExecution(definition []byte) []byte {
	t := rawjson.NewWriter('{', len(definition))
	var m rawjson.Members
	for m.Start(definition); m.Next(); {
		if !m.Is("execution") {
			t.Member(m.Name, m.Value)
		}
	}
	t.Put("}")
	return t.Dst
}

// asTask decides whether the tool of a leg is called as a task, in the version in
// which that is the client's to say. It reports whether the leg can go out now: how
// the tools run is asked first, of a server that takes tasks.
//
// A task that the caller asks for and cannot have is refused, not left out: who
// asks for one wants a call that outlives its connection, and without a task one
// that breaks off is in doubt.
//
// Source: MCP 2025-11-25, basic/utilities/tasks, Tool-Level Negotiation.
func (s *Session) asTask(r *request) bool {
	r.asTask = false
	if r.kind != leg || r.method != "tools/call" || s.speaks != sessions || s.dialect(r.call) != drafts.ServerRequests {
		return true
	}
	takes := s.takesTasks()
	if takes && s.earlier.knows < most && !r.listed {
		r.listed, r.exchange = true, 0
		s.post(&request{kind: listTools, method: "tools/list", params: []byte("{}"), parent: r})
		return false
	}
	wants := rawjson.Member(r.params, "task") != nil
	name, _ := rawjson.Unquote(rawjson.Member(r.params, "name"))
	how := atOnce
	if t := s.toolNamed(name); t != nil {
		how = t.runs
	}
	var refusal sentence.Text
	switch {
	case !takes && how == onlyAsTask:
		refusal = sentence.Say("Parley refuses to call the tool {0}: {1}; ask who runs the server", quoted(name), s.noTasks())
	case !takes && wants:
		refusal = sentence.Say("Parley refuses the task, because the server offers none for tools in MCP {0}: call the tool without one", sentence.Value(s.version))
	case how == atOnce && wants && s.earlier.knows == all:
		refusal = sentence.Say("Parley refuses the task, because the server does not run the tool {0} as one: call it without one", quoted(name))
	default:
		r.asTask = !wants && how == onlyAsTask
		return true
	}
	s.lose(r, refusal, true)
	return false
}

// askingForTask is the params of a leg that goes out as a task.
func askingForTask(params []byte) []byte {
	end := len(params) - 1
	for params[end] != '}' { // white space
		end--
	}
	return append(params[:end:end], `,"task":{}}`...) // there is a name before it
}

// unlisted takes it that the tools cannot be had for a leg: it goes out as it is, or
// gets the answer that was kept back.
func (s *Session) unlisted(parent *request) {
	if parent.doubted != nil {
		s.decide(parent)
	} else {
		s.put(parent)
	}
}

// orphan ends a leg that waits for the tools, which will not come.
func (s *Session) orphan(parent *request, reason sentence.Text) {
	switch {
	case parent == nil || parent.call.leg != parent:
	case parent.doubted != nil:
		s.decide(parent)
	default:
		s.lose(parent, reason, true)
	}
}
