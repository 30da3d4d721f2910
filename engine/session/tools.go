package session

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// tool is what calls of a tool depend on.
type tool struct {
	name   string
	params []param // that go out as header fields
	runs   runs
}

// param is a parameter that goes out as a header field too.
type param struct {
	at     *step
	header string // without its prefix
}

// step is a property on the way from the arguments to a value. The parameters
// of a tool share what they have in common of it.
type step struct {
	up   *step // nil at the arguments themselves
	name string
}

// of is the value in some arguments, nil if they have none.
func (p *step) of(arguments []byte) []byte {
	if p.up == nil {
		return arguments
	}
	return rawjson.Member(p.up.of(arguments), p.name)
}

const (
	maxTools       = 4096 // that are kept
	maxPages       = 64   // of tools/list, when it is fetched for one leg
	maxAnnotations = 64   // of one tool

	tooComplex = "inputSchema is too complex" // deeper than StrictDepth, or with more annotations
)

// learnTools keeps what calls of the tools in a ListToolsResult depend on: their
// header fields or, of an earlier era, whether they run as tasks. It returns the
// result without those that cannot be called, such as those whose definition is
// invalid, which a client MUST leave out, and without the offer of tasks that cannot
// be had; nil if that is the result as it came.
func (s *Session) learnTools(in *message.Message, isFirst, ofEarlier bool) []byte {
	if isFirst {
		s.tools = nil
	}
	if ofEarlier {
		s.learnPage(isFirst, in)
	}
	list := in.Text(message.Tools)
	if !rawjson.IsArray(list) {
		if in.Has(message.Tools) && list == nil {
			s.do(Warning{count("looked at none of the tools of a list: it is longer than {0} bytes", s.most)})
		}
		return nil
	}
	result := in.Text(message.Result) // nil if all of it is too long: it stays as it is
	kept := rawjson.NewWriter('[', 0)
	changed := false
	var e rawjson.Elements
	for e.Start(list); e.Next(); {
		name, ok := rawjson.Unquote(rawjson.Member(e.Value, "name"))
		var a annotations
		listed := e.Value
		if schema := rawjson.Member(e.Value, "inputSchema"); ofEarlier {
			listed, a.fault = s.learnRuns(name, e.Value)
			changed = changed || len(listed) != len(e.Value)
		} else if rawjson.IsObject(schema) {
			a.walk(schema, &step{}, rawjson.StrictDepth)
		}
		if a.fault != "" {
			changed = true
			if result == nil {
				s.do(Warning{sentence.Say("kept the tool {0} in a list that is longer than {1} bytes: {2}", quoted(name), sentence.Value(rawjson.Itoa(s.most)), a.fault)})
				continue
			}
			s.do(Warning{sentence.Say("left out the tool {0}: {1}", quoted(name), a.fault)})
			continue
		}
		kept.Comma()
		kept.Raw(listed)
		if ok && len(a.params) > 0 {
			s.keepTool(tool{name: name, params: a.params})
		}
	}
	if !changed || result == nil || e.Err != nil {
		return nil
	}
	kept.Put("]")
	t := rawjson.NewWriter('{', len(result))
	var m rawjson.Members
	for m.Start(result); m.Next(); {
		if m.Is("tools") {
			t.Member(m.Name, kept.Dst)
		} else {
			t.Member(m.Name, m.Value)
		}
	}
	t.Put("}")
	return t.Dst
}

// keepTool keeps what was said last of a tool.
func (s *Session) keepTool(t tool) {
	if at := s.toolNamed(t.name); at != nil {
		*at = t
	} else if len(s.tools) < maxTools {
		s.tools = append(s.tools, t)
	} else {
		s.earlier.knows = most
	}
}

// toolNamed is a tool that is kept, nil if it is not.
func (s *Session) toolNamed(name string) *tool {
	for i := range s.tools {
		if s.tools[i].name == name {
			return &s.tools[i]
		}
	}
	return nil
}

// quoted is a name in a warning.
func quoted(name string) sentence.Text {
	return sentence.Value(string(rawjson.AppendQuoted(nil, clip(name))))
}

// clip bounds a name that goes into a warning.
func clip(name string) string {
	const most = 100 // bytes
	if len(name) <= most {
		return name
	}
	cut := most
	for cut > 0 && name[cut]&0xC0 == 0x80 {
		cut--
	}
	return name[:cut] + "…"
}

// annotations are the x-mcp-header members of an inputSchema, and what is
// wrong with them.
type annotations struct {
	params []param
	fault  sentence.Text
}

// walk reads a schema that has at most so many levels. Only properties that
// lead to a value by property names alone may be annotated: at is how the
// schema is reached so, nil if it is not.
func (a *annotations) walk(schema []byte, at *step, levels int) {
	if levels == 0 {
		a.fault = tooComplex
		return
	}
	var header, kind []byte
	var m rawjson.Members
	for m.Start(schema); m.Next() && a.fault == ""; {
		switch {
		case m.Is("x-mcp-header"):
			header = m.Value
		case m.Is("type"):
			kind = m.Value
		case m.Is("properties") && rawjson.IsObject(m.Value):
			a.walkProperties(m.Value, at, levels)
		case m.Is("const"), m.Is("enum"), m.Is("default"), m.Is("examples"): // values, not schemas
		case rawjson.IsObject(m.Value):
			a.walk(m.Value, nil, levels-1)
		case rawjson.IsArray(m.Value):
			var e rawjson.Elements
			for e.Start(m.Value); e.Next() && a.fault == ""; {
				if rawjson.IsObject(e.Value) {
					a.walk(e.Value, nil, levels-1)
				}
			}
		}
	}
	if header != nil && a.fault == "" {
		a.annotate(header, kind, at)
	}
}

// walkProperties reads the schemas of properties.
func (a *annotations) walkProperties(properties []byte, at *step, levels int) {
	var m rawjson.Members
	for m.Start(properties); m.Next() && a.fault == ""; {
		if !rawjson.IsObject(m.Value) {
			continue
		}
		var to *step
		if name, ok := rawjson.Unquote(m.Name); ok && at != nil {
			to = &step{at, name}
		}
		a.walk(m.Value, to, levels-1)
	}
}

// annotate takes the x-mcp-header of a property of a type.
func (a *annotations) annotate(header, kind []byte, at *step) {
	name, _ := rawjson.Unquote(header)
	switch {
	case at == nil || at.up == nil:
		a.fault = "x-mcp-header where no header field can be made of it"
	case !isToken(name):
		a.fault = "x-mcp-header is not the name of a header field"
	case !rawjson.Is(kind, "string") && !rawjson.Is(kind, "integer") && !rawjson.Is(kind, "boolean"):
		a.fault = "x-mcp-header on what is neither a string, an integer nor a boolean"
	case len(a.params) == maxAnnotations:
		a.fault = tooComplex
	}
	for _, p := range a.params {
		if equalFold(p.header, name) {
			a.fault = "two parameters with the same x-mcp-header"
		}
	}
	a.params = append(a.params, param{at, name})
}

// isToken reports whether text is a token of RFC 9110, section 5.6.2.
func isToken(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case c == '!', c == '#', c == '$', c == '%', c == '&', c == '\'', c == '*', c == '+',
			c == '-', c == '.', c == '^', c == '_', c == '`', c == '|', c == '~':
		default:
			return false
		}
	}
	return text != ""
}

// equalFold compares names of header fields.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		x, y := a[i], b[i]
		if x >= 'A' && x <= 'Z' {
			x += 'a' - 'A'
		}
		if y >= 'A' && y <= 'Z' {
			y += 'a' - 'A'
		}
		if x != y {
			return false
		}
	}
	return true
}

// refresh fetches the tools and sends a leg once more that was refused because
// its header fields do not match: the tool has changed, or was never listed.
func (s *Session) refresh(r *request, in *message.Message) bool {
	if r.refreshed || r.method != "tools/call" || s.stdio() {
		return false
	}
	r.refreshed = true
	r.doubted = &doubt{message: s.kept(in)}
	s.unlist(r)
	r.exchange = 0
	s.tools = nil
	s.stale(toolsList)
	s.post(&request{kind: listTools, method: "tools/list", params: []byte("{}"), parent: r})
	return true
}

// listed takes a page of the tools.
func (s *Session) listed(r *request, msg inbound) {
	s.unlist(r)
	parent := r.parent
	switch {
	case msg.failed && msg.code == codeVersion && s.reselect(parent, msg.error):
		return // some servers look at header fields before they look at the version
	case msg.failed:
		s.unlisted(parent)
		return
	}
	s.learnTools(msg.in, r.pages == 0, r.speaks == sessions)
	if cursor := msg.in.Cursor(r.speaks == sessions); cursor != nil && r.pages < maxPages {
		var t rawjson.Writer
		t.Put(`{"cursor":`)
		t.Raw(cursor)
		t.Put("}")
		if string(t.Dst) != string(r.params) { // otherwise its pages would not end
			s.post(&request{kind: listTools, method: "tools/list", params: t.Dst, parent: parent, pages: r.pages + 1})
			return
		}
	}
	parent.doubted = nil
	s.put(parent)
}
