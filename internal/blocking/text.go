package blocking

import (
	"strconv"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/wire"
	"github.com/parley-mcp/parley/rawjson"
)

// post is the text for send: the action, and what goes on the wire.
func (c *Call) post(a engine.Action, method string, params []byte) ([]byte, *engine.Error) {
	c.ids++
	c.flow.UseID(c.ids)
	r := &wire.Request{ID: c.ids, Method: method, Params: params, Capabilities: c.flow.Info().Capabilities, ClientInfo: c.clientInfo}
	body, bad := wire.AppendRequest(make([]byte, 0, len(params)+1024), r)
	if bad != nil {
		return nil, bad
	}
	// Room for all of it at once: what is left behind while a text grows is of
	// no use before the next callback.
	text := joinInt(objectIn(make([]byte, 0, 2*(len(params)+len(body))+1024), a), "id", c.ids)
	text = joinText(text, "body", body)
	headers := []byte{'['}
	for i, h := range wire.Headers(r) {
		if i > 0 {
			headers = append(headers, ',')
		}
		headers = rawjson.AppendQuoted(append(headers, '['), h.Name)
		headers = rawjson.AppendQuoted(append(headers, ','), h.Value)
		headers = append(headers, ']')
	}
	text = joinJSON(text, "headers", append(headers, ']'))
	if c.at > 0 {
		text = joinInt(text, "at", c.at)
		c.at = 0
	}
	return c.accompany(text), nil
}

// accompany adds what every callback gets.
func (c *Call) accompany(text []byte) []byte {
	if c.until > 0 && !c.told {
		text = joinInt(text, "until", c.until)
	}
	if c.task != nil {
		text = joinJSON(text, "task", c.task)
		c.task = nil
	}
	if c.snapshots {
		if snapshot, err := c.flow.Snapshot(); err == nil {
			text = joinText(text, "snapshot", snapshot)
		}
	}
	return text
}

// object is an action as wire writes it.
func object(a engine.Action) []byte { return objectIn(nil, a) }

func objectIn(room []byte, a engine.Action) []byte {
	text := wire.AppendActions(room, []engine.Action{a})
	return text[len(`{"actions":[`) : len(text)-len(`]}`)]
}

// joinMember adds a member to an object that is not closed yet.
func joinMember(open, name, value []byte) []byte {
	if len(open) > 1 {
		open = append(open, ',')
	}
	return append(append(append(open, name...), ':'), value...)
}

// joinJSON, joinText and joinInt add a member to an object: a value as it is, a
// string, an integer.
func joinJSON(object []byte, name string, value []byte) []byte {
	return append(append(joinName(object, name), value...), '}')
}

func joinText(object []byte, name string, text []byte) []byte {
	return append(rawjson.AppendQuoted(joinName(object, name), text), '}')
}

func joinName(object []byte, name string) []byte {
	return append(rawjson.AppendQuoted(append(object[:len(object)-1], ','), name), ':')
}

func joinInt(object []byte, name string, n int64) []byte {
	return joinJSON(object, name, strconv.AppendInt(nil, n, 10))
}
