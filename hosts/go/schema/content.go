package schema

import (
	"encoding/json"

	"github.com/parley-mcp/parley/rawjson"
)

// Content is one piece of a result. Type says which fields count; content of an
// unknown type has only Raw. What its type must bring is there, or reading fails: Text,
// Data, URI, and either text or blob of Resource.
type Content struct {
	Type        string            `json:"type"`                  // text, image, audio, resource_link, resource
	Text        string            `json:"text,omitempty"`        // of text
	Data        []byte            `json:"data,omitempty"`        // of image and audio, decoded
	MIMEType    string            `json:"mimeType,omitempty"`    // of image, audio and resource_link
	Resource    *ResourceContents `json:"resource,omitempty"`    // of resource
	URI         string            `json:"uri,omitempty"`         // of resource_link
	Name        string            `json:"name,omitempty"`        // of resource_link
	Title       string            `json:"title,omitempty"`       // of resource_link
	Description string            `json:"description,omitempty"` // of resource_link
	Size        *int64            `json:"size,omitempty"`        // of resource_link, in bytes
	Icons       []Icon            `json:"icons,omitempty"`       // of resource_link
	Annotations *Annotations      `json:"annotations,omitempty"`
	Meta        json.RawMessage   `json:"-"`
	Raw         json.RawMessage   `json:"-"`
}

func readContent(c *Content, raw []byte, path string) *Error {
	c.Raw = raw
	var kind, written, data, resource, uri []byte
	if err := members(raw, path, func(name string, v []byte) *Error {
		switch name {
		case "type":
			kind = v
		case "text":
			written = v
		case "data":
			data = v
		case "mimeType":
			c.MIMEType = optional(v)
		case "resource":
			resource = v
		case "uri":
			uri = v
		case "name":
			c.Name = optional(v)
		case "title":
			c.Title = optional(v)
		case "description":
			c.Description = optional(v)
		case "size":
			c.Size = whole64(v)
		case "icons":
			c.Icons = some(v, readIcon)
		case "annotations":
			c.Annotations = readAnnotations(v)
		case "_meta":
			c.Meta = objectOnly(v)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := needed(&c.Type, kind, path, "type"); err != nil {
		return err
	}
	c.Text, c.URI = optional(written), optional(uri)
	var ok bool
	switch c.Type {
	case "text":
		return readString(&c.Text, written, within(path, "text"))
	case "image", "audio":
		if c.Data, ok = binary(data); !ok {
			return &Error{Path: within(path, "data"), Reason: "is not base64"}
		}
	case "resource":
		return readEmbedded(&c.Resource, resource, within(path, "resource"))
	case "resource_link":
		return readString(&c.URI, uri, within(path, "uri"))
	}
	return nil
}

// whole64 is a whole number, nil for anything else.
func whole64(raw []byte) *int64 {
	n, ok := rawjson.Int(raw)
	if !ok {
		return nil
	}
	return &n
}
