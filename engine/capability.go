package engine

import "github.com/parley-mcp/parley/rawjson"

// Can says what the host can answer. The engine writes the clientCapabilities
// object from it, so that no host has to know how capabilities are spelled.
type Can struct {
	Form, URL     bool // elicitation
	Sampling      bool
	SamplingTools bool // also with tools; nothing without Sampling
	Roots         bool
	Tasks         bool // a tools/call may become a task, which is polled until it ends
}

const tasksExtension = "io.modelcontextprotocol/tasks"

// Declare returns the clientCapabilities object. added is an object with
// further members, or nil; what Can is about is not its to say. It fails with
// [ErrOptions].
func (c Can) Declare(added []byte) ([]byte, error) {
	if has, fault := readCapabilities(added); added != nil && (fault != "" || has != Can{}) {
		return nil, &Error{ErrOptions, "Capabilities: elicitation, sampling, roots and tasks are what Can says"}
	}
	text, extensions := "", ""
	for _, part := range [...]struct {
		is   bool
		text string
	}{
		{c.Form || c.URL, `,"elicitation":{`}, {c.Form, `"form":{}`}, {c.Form && c.URL, ","}, {c.URL, `"url":{}`}, {c.Form || c.URL, "}"},
		{c.Roots, `,"roots":{}`},
		{c.Sampling, `,"sampling":{`}, {c.Sampling && c.SamplingTools, `"tools":{}`}, {c.Sampling, "}"},
	} {
		if part.is {
			text += part.text
		}
	}
	if c.Tasks {
		extensions = `,"` + tasksExtension + `":{}`
	}
	var m rawjson.Members
	for m.Start(added); m.Next(); {
		if !m.Is("extensions") {
			text += "," + string(m.Name) + ":" + string(m.Value)
		} else if len(m.Value) > 2 {
			extensions += "," + string(m.Value[1:len(m.Value)-1])
		}
	}
	if extensions != "" {
		text += `,"extensions":{` + extensions[1:] + "}"
	}
	return []byte("{" + text[min(len(text), 1):] + "}"), nil
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
func readCapabilities(text []byte) (can Can, fault string) {
	var m rawjson.Members
	for m.Start(text); m.Next(); {
		switch {
		case m.Is("elicitation"):
			form, fault := declares(m.Value, "elicitation", "form")
			if fault != "" {
				return can, fault
			}
			url, _ := declares(m.Value, "elicitation", "url")
			can.Form, can.URL = form || !url, url
		case m.Is("sampling"):
			tools, fault := declares(m.Value, "sampling", "tools")
			if fault != "" {
				return can, fault
			}
			can.Sampling, can.SamplingTools = true, tools
		case m.Is("roots"):
			if _, fault := declares(m.Value, "roots", ""); fault != "" {
				return can, fault
			}
			can.Roots = true
		case m.Is("extensions"):
			tasks, fault := declares(m.Value, "extensions", tasksExtension)
			if fault != "" {
				return can, fault
			}
			can.Tasks = tasks
		}
	}
	if m.Err != nil {
		return can, m.Err.Error()
	}
	return can, ""
}

// declares reports whether the object of a capability has a member.
func declares(object []byte, name, member string) (bool, string) {
	if !rawjson.IsObject(object) {
		return false, name + " is not an object"
	}
	found := false
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		if member != "" && m.Is(member) {
			if !rawjson.IsObject(m.Value) {
				return false, name + "." + member + " is not an object"
			}
			found = true
		}
	}
	return found, ""
}
