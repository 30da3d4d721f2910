package schema

import (
	"encoding/json"
	"math"
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
		return members(raw, "the result", func(name string, v []byte) *Error {
			switch name {
			case "contents":
				return entries(&r.Contents, v, name, readResourceContents)
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
		})
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
	r := &ResourceContents{Raw: raw}
	*to = r
	var uri []byte
	if err := members(raw, path, func(name string, v []byte) *Error {
		switch name {
		case "uri":
			uri = v
		case "mimeType":
			r.MIMEType = optional(v)
		case "text":
			r.Text = optional(v)
		case "blob":
			r.Blob = binary(v)
		case "_meta":
			r.Meta = objectOnly(v)
		}
		return nil
	}); err != nil {
		return err
	}
	return needed(&r.URI, uri, path, "uri")
}
