package display

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/rawjson"
)

// Piece is a part of a result: a block of content, also of a message, or a
// resource. What it has to show is a text, or bytes, or its JSON alone.
type Piece struct {
	Names []string        // what stands before it: the role of a message, the address of a resource
	Kind  string          // as the server calls it: text, image, audio, resource …; structuredContent
	MIME  string          // of bytes
	Raw   json.RawMessage // as the server sent it

	text, data []byte // a JSON string, nil for none
	single     bool   // the only resource of a result, whose address the person has given
	repeats    bool   // a text that is the same JSON value as structuredContent
	repeated   bool   // structuredContent that is
}

// kindStructured is the kind of structuredContent.
const kindStructured = "structuredContent"

// IsText reports whether the piece is a text.
func (p *Piece) IsText() bool { return p.text != nil }

// IsBytes reports whether the piece is a picture, a sound or a blob.
func (p *Piece) IsBytes() bool { return p.data != nil }

// Text is the piece's text. broken says that it has half of a surrogate pair,
// which UTF-8 cannot express: U+FFFD is in its place.
func (p *Piece) Text() (text string, broken bool) {
	if p.text == nil {
		return "", false
	}
	text, ok := rawjson.Unquote(p.text)
	if !ok {
		text = jsontext.Text(p.text)
	}
	return text, !ok
}

// Bytes are the piece's bytes, decoded. White space among the base64 counts for
// nothing.
func (p *Piece) Bytes() ([]byte, error) {
	text, ok := rawjson.Unquote(p.data)
	data, err := base64.StdEncoding.DecodeString(stripSpace(text))
	if !ok || err != nil {
		return nil, errors.New("it is not base64")
	}
	return data, nil
}

func stripSpace(text string) string {
	return string(bytes.Join(bytes.Fields([]byte(text)), nil))
}

// pieces reads what a result has to show, in the order of its kinds.
func pieces(raw []byte) (all []Piece) {
	var blocks, messages, resources rawjson.Elements
	for blocks.Start(jsontext.Get(raw, "content")); blocks.Next(); {
		all = append(all, block(nil, blocks.Value))
	}
	if structured := jsontext.Get(raw, kindStructured); structured != nil && (len(all) == 0 || string(structured) != "null") {
		all = append(all, Piece{Kind: kindStructured, Raw: structured, repeated: repeats(all, structured)})
	}
	for messages.Start(jsontext.Get(raw, "messages")); messages.Next(); {
		role := jsontext.Text(messages.Value, "role")
		all = append(all, block([]string{role}, jsontext.Get(messages.Value, "content")))
	}
	first := len(all)
	for resources.Start(jsontext.Get(raw, "contents")); resources.Next(); {
		p := Piece{Kind: "resource", Raw: resources.Value}
		p.holds(resources.Value)
		all = append(all, p)
	}
	if len(all) == first+1 {
		all[first].single = true
	}
	return all
}

// block is a block of content.
func block(names []string, raw []byte) Piece {
	p := Piece{Names: names, Kind: jsontext.Text(raw, "type"), Raw: raw}
	switch p.Kind {
	case "text":
		p.text = quoted(raw, "text")
	case "image", "audio":
		p.data, p.MIME = quoted(raw, "data"), jsontext.Text(raw, "mimeType")
	case "resource":
		p.holds(jsontext.Get(raw, "resource"))
	}
	return p
}

// holds reads the resource that a piece is, or has inside.
func (p *Piece) holds(resource []byte) {
	p.Names = append(p.Names, jsontext.Text(resource, "uri"))
	p.MIME = jsontext.Text(resource, "mimeType")
	switch p.data, p.text = quoted(resource, "blob"), quoted(resource, "text"); {
	case p.text == nil || p.data == nil:
	case string(p.data) == `""`: // a field of a struct that was not set
		p.data = nil
	default:
		p.text = nil
	}
}

// quoted is a member that is a string, as it is written, nil if there is none.
func quoted(object []byte, name string) []byte {
	if value := jsontext.Get(object, name); rawjson.IsString(value) {
		return value
	}
	return nil
}

// repeats marks the texts that are the same JSON value as structured, and reports
// whether there are any: tools repeat it for clients that know text only.
func repeats(all []Piece, structured []byte) (any bool) {
	c := comparison{effort}
	for i := range all {
		if p := &all[i]; p.Kind == "text" && p.text != nil {
			text, broken := p.Text()
			if value, bad := rawjson.Value([]byte(text)); bad == nil && !broken {
				p.repeats = c.same(value, structured, deepest)
				any = any || p.repeats
			}
		}
	}
	return any
}
