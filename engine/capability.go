package engine

import "github.com/parley-mcp/parley/rawjson"

// capabilities are what the host declared it can answer.
type capabilities struct {
	form, url, sampling, samplingTools, roots, tasks bool
}

// readCapabilities reads a clientCapabilities object, or says what is wrong
// with it. An empty elicitation object declares form only
// (client/elicitation, Capabilities).
func readCapabilities(text []byte) (can capabilities, fault string) {
	var m rawjson.Members
	for m.Start(text); m.Next(); {
		switch {
		case m.Is("elicitation"):
			form, fault := declares(m.Value, "elicitation", "form")
			if fault != "" {
				return can, fault
			}
			url, _ := declares(m.Value, "elicitation", "url")
			can.form, can.url = form || !url, url
		case m.Is("sampling"):
			tools, fault := declares(m.Value, "sampling", "tools")
			if fault != "" {
				return can, fault
			}
			can.sampling, can.samplingTools = true, tools
		case m.Is("roots"):
			if _, fault := declares(m.Value, "roots", ""); fault != "" {
				return can, fault
			}
			can.roots = true
		case m.Is("extensions"):
			tasks, fault := declares(m.Value, "extensions", "io.modelcontextprotocol/tasks")
			if fault != "" {
				return can, fault
			}
			can.tasks = tasks
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
