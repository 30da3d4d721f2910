package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Can says what the host can answer. The engine writes the clientCapabilities
// object from it, so that no host has to know how capabilities are spelled.
type Can struct {
	Form, URL     bool // elicitation
	Sampling      bool
	SamplingTools bool // also with tools; nothing without Sampling
	Roots         bool
	Tasks         bool // a tools/call may become a task, which is polled until it ends

	// Authorize is about HTTP and declared to nobody: the host signs in where a
	// session asks for it with [KindAuthorize].
	Authorize bool

	// AnyForm is not declared either: the host draws forms itself that
	// Parley cannot read, such as one with a list of objects. Of an answer to
	// such a form, the engine checks only that it is an ElicitResult with an object.
	// It still checks the answers to forms that it can read, and it still refuses a
	// form that asks for a secret.
	AnyForm bool
}

const tasksExtension = "io.modelcontextprotocol/tasks"

// DrawAnyForm says what [Can].AnyForm says, for a session.
func (f *Flow) DrawAnyForm(can bool) { f.can.AnyForm = can }

// ReadCan reads a clientCapabilities object, as far as it is what a Can says;
// nil is an empty one. It fails with [fault.Options].
func ReadCan(capabilities []byte) (Can, error) {
	if capabilities == nil {
		return Can{}, nil
	}
	can, flaw := readCapabilities(capabilities)
	if flaw != "" {
		return Can{}, newError(fault.Options, sentence.Say("Capabilities: {0}", flaw))
	}
	return can, nil
}

// Declare returns the clientCapabilities object. added is an object with
// further members, or nil. Elicitation, sampling or roots in it stand in place of
// what Can would write, and have to say the same: they may have more inside. It
// fails with [fault.Options].
func (c Can) Declare(added []byte) ([]byte, error) {
	c.SamplingTools, c.Authorize, c.AnyForm = c.SamplingTools && c.Sampling, false, false
	var has Can
	var flaw sentence.Text
	if added != nil {
		has, flaw = readCapabilities(added)
	}
	d := declaration{rawjson.NewWriter('{', len(added)+128)}
	elicits, samples := !has.Form && !has.URL && (c.Form || c.URL), !has.Sampling && c.Sampling
	d.put(elicits, `"elicitation":{`)
	d.put(elicits && c.Form, `"form":{}`)
	d.put(elicits && c.URL, `"url":{}`)
	d.end(elicits)
	d.put(c.Roots && !has.Roots, `"roots":{}`)
	d.put(samples, `"sampling":{`)
	d.put(samples && c.SamplingTools, `"tools":{}`)
	d.end(samples)
	d.add(added, false)
	before := len(d.Dst)
	d.put(true, `"extensions":{`)
	inside := len(d.Dst)
	d.put(c.Tasks && !has.Tasks, `"`+tasksExtension+`":{}`)
	if d.add(added, true); len(d.Dst) > inside {
		d.end(true)
	} else {
		d.Dst = d.Dst[:before]
	}
	d.end(true)
	if says, _ := readCapabilities(d.Dst); added != nil && (flaw != "" || says != c) {
		return nil, newError(fault.Options, "Capabilities: not what Can says")
	}
	return d.Dst, nil
}

// declaration is a clientCapabilities object in the making.
type declaration struct{ rawjson.Writer }

// put adds the text of a member if it is there.
func (d *declaration) put(is bool, text string) {
	if is {
		d.Begin(text)
	}
}

func (d *declaration) end(is bool) {
	if is {
		d.Put("}")
	}
}

// add adds the members of an object, those that are no extensions or those
// inside of extensions. Nil is an empty object.
func (d *declaration) add(object []byte, extensions bool) {
	if object == nil {
		return
	}
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		switch isThem := m.Is("extensions"); {
		case isThem != extensions:
		case !isThem:
			d.Member(m.Name, m.Value)
		case len(m.Value) > len("{}"):
			d.Comma()
			d.Raw(m.Value[1 : len(m.Value)-1])
		}
	}
}

// without names what of this a host cannot answer, "" if it can answer all.
func (c Can) without(host *Can) string {
	switch {
	case host == nil:
	case c.Form && !host.Form:
		return "a form"
	case c.URL && !host.URL:
		return "a url"
	case c.Sampling && !host.Sampling:
		return "sampling"
	case c.SamplingTools && !host.SamplingTools:
		return "sampling with tools"
	case c.Roots && !host.Roots:
		return "roots"
	}
	return ""
}

// readCapabilities reads a clientCapabilities object, or says what is wrong
// with it. An empty elicitation object declares form only
// (client/elicitation, Capabilities).
func readCapabilities(text []byte) (can Can, flaw sentence.Text) {
	var m rawjson.Members
	for m.Start(text); flaw == "" && m.Next(); {
		switch {
		case m.Is("elicitation"):
			can.Form, flaw = declares(m.Value, "elicitation", "form")
			can.URL, _ = declares(m.Value, "elicitation", "url")
			can.Form = can.Form || !can.URL
		case m.Is("sampling"):
			can.Sampling = true
			can.SamplingTools, flaw = declares(m.Value, "sampling", "tools")
		case m.Is("roots"):
			can.Roots = true
			_, flaw = declares(m.Value, "roots", "")
		case m.Is("extensions"):
			can.Tasks, flaw = declares(m.Value, "extensions", tasksExtension)
		}
	}
	if m.Err != nil {
		return can, m.Err.Sentence()
	}
	return can, flaw
}

// declares reports whether the object of a capability, which is well-formed, has a
// member.
func declares(object []byte, name, member string) (bool, sentence.Text) {
	if !rawjson.IsObject(object) {
		return false, sentence.About("{0} is not an object", name)
	}
	found := false
	var m rawjson.Members
	for m.StartChecked(object); m.Next(); {
		if member != "" && m.Is(member) {
			if !rawjson.IsObject(m.Value) {
				return false, sentence.About("{0} is not an object", name+"."+member)
			}
			found = true
		}
	}
	return found, ""
}
