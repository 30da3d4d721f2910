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

// check reads what the type must bring, and fails without it.
func (c *Content) check(raw []byte, path string, err *Error) *Error {
	if err != nil {
		return err
	}
	var ok bool
	switch c.Type {
	case "text":
		return wantString(last(raw, "text"), path, "text")
	case "image", "audio":
		if c.Data, ok = binary(last(raw, "data")); !ok {
			return &Error{Path: within(path, "data"), Reason: "is not base64"}
		}
	case "resource":
		c.Resource = new(ResourceContents)
		return read((*embedded)(c.Resource), last(raw, "resource"), within(path, "resource"))
	case "resource_link":
		return wantString(last(raw, "uri"), path, "uri")
	}
	return nil
}

func wantString(raw []byte, path, name string) *Error {
	if !rawjson.IsString(raw) {
		return &Error{Path: within(path, name), Reason: "is not a string"}
	}
	return nil
}
