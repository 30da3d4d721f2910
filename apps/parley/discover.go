package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine/session"
)

func (c *command) discoverVerb() *verb {
	return &verb{
		name: "discover", args: []string{"URL [FLAGS]", "[FLAGS] -- COMMAND"}, brief: "what the server is",
		text: `Says which protocol version the server speaks, and what it says about itself:
name, capabilities, instructions. Those are its own words: rely on none of them.
`,
		examples: `  parley discover http://127.0.0.1:8080/mcp --json
  parley discover -- ./my-server --verbose
`,
		groups: c.lookGroups(serverText, c.jsonFlag(), c.traceFlag()),
		exits:  lookExits, read: c.readOnlyServer, run: c.discover,
	}
}

// lookGroups are the flags of what connects to a server and makes no call, after
// those of its own.
func (c *command) lookGroups(server string, own ...flags.Flag) []flags.Group {
	return slices.Concat([]flags.Group{{Flags: own}, c.serverGroup(server)}, c.askingGroups(), []flags.Group{c.meansGroup(), c.accountGroup()})
}

// discover says which protocol version the server speaks, and what it says of
// itself.
func (c *command) discover(ctx context.Context, screen *console.Console) int {
	h, err := c.look(screen, true)
	if err != nil {
		return misused(screen, err)
	}
	said, err := h.discovers(ctx)
	h.conn.close()
	if said == nil {
		return c.unsigned(ctx, screen, err)
	}
	if c.json {
		c.out.json(discovered(said))
	} else {
		fmt.Fprint(c.out, c.out.describeServer(said))
	}
	return exitDone
}

// discovers asks for the tools: what is wanted comes before the first answer,
// whatever that is.
func (h *host) discovers(ctx context.Context) (*session.Ready, error) {
	defer h.runs(ctx)()
	defer h.rests()
	_, err := h.conn.Call(h.calling, h.request(h.conn, "tools/list"))
	return h.conn.said(), err
}

func isEarlier(version string) bool { return version != session.ProtocolVersion }

// discovered is what is known of a server as JSON. What it says of itself
// stands apart, as it came.
func discovered(r *session.Ready) []byte {
	era := "current"
	if isEarlier(r.Version) {
		era = "earlier"
	}
	b := fmt.Appendf(nil, `{"protocolVersion":%s,"era":%q,"selfReported":{`, jsontext.Quote(r.Version), era)
	comma := ""
	member := func(name string, value []byte) {
		if value != nil {
			b = fmt.Appendf(b, `%s%q:%s`, comma, name, value)
			comma = ","
		}
	}
	member("serverInfo", r.ServerInfo)
	member("capabilities", r.Capabilities)
	if r.Instructions != "" {
		member("instructions", jsontext.Quote(r.Instructions))
	}
	return append(b, "}}"...)
}

const maxInstructions = 20_000 // characters

// describeServer is what is known of a server in words.
func (o *output) describeServer(r *session.Ready) string {
	var b strings.Builder
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-12s  %s\n", name, text)
		}
	}
	line("protocol", r.Version)
	if isEarlier(r.Version) {
		line("era", "earlier: it asks while a call waits, so a call cannot be parked while it does")
	} else {
		line("era", "current: it asks by results, so every call can be parked")
	}
	b.WriteString("the rest is what the server says of itself:\n")
	line("name", o.serverName(r.ServerInfo))
	line("website", o.line(jsontext.Text(r.ServerInfo, "websiteUrl"), maxMessage))
	line("capabilities", o.capabilities(r.Capabilities))
	if r.Instructions != "" {
		b.WriteString("instructions\n")
		o.bar(&b, r.Instructions, maxInstructions)
	}
	return b.String()
}

// serverName is an Implementation in words.
func (o *output) serverName(info []byte) string {
	text := func(name string) string { return o.line(jsontext.Text(info, name), 200) }
	name := text("name")
	if title := text("title"); title != "" {
		name = title + " (" + name + ")"
	}
	return strings.TrimSpace(name + " " + text("version"))
}

// capabilities are the names of what an object of capabilities has, each with
// the names inside it.
func (o *output) capabilities(object []byte) string {
	var list []string
	members, _ := jsontext.Members(object)
	for _, m := range members {
		name := o.line(m.Name, maxKey)
		var inside []string
		nested, _ := jsontext.Members(m.Value)
		for _, n := range nested {
			if string(n.Value) != "false" {
				inside = append(inside, o.line(n.Name, maxKey))
			}
		}
		if len(inside) > 0 {
			name += " (" + strings.Join(inside, ", ") + ")"
		}
		list = append(list, name)
	}
	return o.line(strings.Join(list, ", "), maxMessage)
}

// bar writes text of the server's with a bar beside it.
func (o *output) bar(b *strings.Builder, text string, limit int) {
	for line := range strings.Lines(o.text(strings.TrimRight(text, "\r\n"), limit)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			line = " " + line
		}
		b.WriteString("  │" + line + "\n")
	}
}
