package schema

import (
	"encoding/json"
	"math"

	"github.com/parley-mcp/parley/rawjson"
)

// Resource is what a server offers to read.
type Resource struct {
	URI         string          `json:"uri"`
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	MIMEType    string          `json:"mimeType,omitempty"`
	Size        int64           `json:"size,omitempty"` // in bytes, 0 where the server does not say
	Annotations *Annotations    `json:"annotations,omitempty"`
	Icons       []Icon          `json:"icons,omitempty"`
	Meta        json.RawMessage `json:"-"`
	Raw         json.RawMessage `json:"-"`
}

func readResource(to **Resource, raw []byte, path string) *Error {
	r := &Resource{Raw: raw}
	*to = r
	var uri, name []byte
	if err := members(raw, path, func(member string, v []byte) *Error {
		switch member {
		case "uri":
			uri = v
		case "name":
			name = v
		case "title":
			r.Title = optional(v)
		case "description":
			r.Description = optional(v)
		case "mimeType":
			r.MIMEType = optional(v)
		case "size":
			r.Size = 0
			if n := whole64(v); n != nil {
				r.Size = *n
			}
		case "annotations":
			r.Annotations = readAnnotations(v)
		case "icons":
			r.Icons = some(v, readIcon)
		case "_meta":
			r.Meta = objectOnly(v)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := needed(&r.URI, uri, path, "uri"); err != nil {
		return err
	}
	return needed(&r.Name, name, path, "name")
}

// ResourceTemplate is a family of resources a server offers to read.
type ResourceTemplate struct {
	URITemplate string          `json:"uriTemplate"` // RFC 6570
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	MIMEType    string          `json:"mimeType,omitempty"` // of all of them, if they have one in common
	Annotations *Annotations    `json:"annotations,omitempty"`
	Icons       []Icon          `json:"icons,omitempty"`
	Meta        json.RawMessage `json:"-"`
	Raw         json.RawMessage `json:"-"`
}

func readResourceTemplate(to **ResourceTemplate, raw []byte, path string) *Error {
	t := &ResourceTemplate{Raw: raw}
	*to = t
	var uri, name []byte
	if err := members(raw, path, func(member string, v []byte) *Error {
		switch member {
		case "uriTemplate":
			uri = v
		case "name":
			name = v
		case "title":
			t.Title = optional(v)
		case "description":
			t.Description = optional(v)
		case "mimeType":
			t.MIMEType = optional(v)
		case "annotations":
			t.Annotations = readAnnotations(v)
		case "icons":
			t.Icons = some(v, readIcon)
		case "_meta":
			t.Meta = objectOnly(v)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := needed(&t.URITemplate, uri, path, "uriTemplate"); err != nil {
		return err
	}
	return needed(&t.Name, name, path, "name")
}

// ReadResourceResult is the result of resources/read.
type ReadResourceResult struct {
	Contents   []*ResourceContents `json:"contents"`
	TTLMs      int                 `json:"ttlMs,omitempty"`      // how long it may be cached, in milliseconds
	CacheScope string              `json:"cacheScope,omitempty"` // public, private
	Meta       json.RawMessage     `json:"-"`
	Raw        json.RawMessage     `json:"-"`
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ReadResourceResult) UnmarshalJSON(text []byte) error {
	*r = ReadResourceResult{}
	return whole(text, func(raw json.RawMessage) *Error {
		r.Raw = raw
		var contents []byte
		if err := members(raw, "the result", func(name string, v []byte) *Error {
			switch name {
			case "contents":
				contents = v
			case "ttlMs":
				r.TTLMs = 0
				if n := whole64(v); n != nil && *n >= 0 && *n <= math.MaxInt {
					r.TTLMs = int(*n)
				}
			case "cacheScope":
				r.CacheScope = optional(v)
			case "_meta":
				r.Meta = objectOnly(v)
			}
			return nil
		}); err != nil {
			return err
		}
		return brought(&r.Contents, contents, "contents", readResourceContents)
	})
}

// ResourceContents is a resource, or a part of one: either Text or Blob.
type ResourceContents struct {
	URI      string          `json:"uri"`
	MIMEType string          `json:"mimeType,omitempty"`
	Text     string          `json:"text,omitempty"`
	Blob     []byte          `json:"blob,omitempty"` // decoded
	Meta     json.RawMessage `json:"-"`
	Raw      json.RawMessage `json:"-"`
}

func readResourceContents(to **ResourceContents, raw []byte, path string) *Error {
	uri, err := readTextOrBlob(to, raw, path)
	if err != nil {
		return err
	}
	return needed(&(*to).URI, uri, path, "uri")
}

// readEmbedded reads a resource in a block of content, which may be shown whatever its
// uri is.
func readEmbedded(to **ResourceContents, raw []byte, path string) *Error {
	uri, err := readTextOrBlob(to, raw, path)
	(*to).URI = optional(uri)
	return err
}

func readTextOrBlob(to **ResourceContents, raw []byte, path string) (uri []byte, err *Error) {
	r := &ResourceContents{Raw: raw}
	*to = r
	var written, blob []byte
	if err := members(raw, path, func(name string, v []byte) *Error {
		switch name {
		case "uri":
			uri = v
		case "mimeType":
			r.MIMEType = optional(v)
		case "text":
			written = v
		case "blob":
			blob = v
		case "_meta":
			r.Meta = objectOnly(v)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	var isText, isBlob bool
	if r.Text, isText = text(written); !isText {
		r.Blob, isBlob = binary(blob)
	}
	switch {
	case isText, isBlob:
		return uri, nil
	case rawjson.IsString(blob):
		return nil, &Error{Path: path + ".blob", Reason: "is not base64"}
	}
	return nil, &Error{Path: path, Reason: "has neither text nor blob"}
}
