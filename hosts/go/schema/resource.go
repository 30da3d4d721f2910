package schema

import (
	"encoding/json"

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

// ReadResourceResult is the result of resources/read.
type ReadResourceResult struct {
	Contents   []*ResourceContents `json:"contents"`
	TTLMs      int                 `json:"ttlMs,omitempty"`      // how long it may be cached, in milliseconds
	CacheScope string              `json:"cacheScope,omitempty"` // public, private
	Meta       json.RawMessage     `json:"-"`
	Raw        json.RawMessage     `json:"-"`
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ReadResourceResult) UnmarshalJSON(text []byte) error { return unmarshal(text, r) }

// ResourceContents is a resource, or a part of one: either Text or Blob.
type ResourceContents struct {
	URI      string          `json:"uri"`
	MIMEType string          `json:"mimeType,omitempty"`
	Text     string          `json:"text,omitempty"`
	Blob     []byte          `json:"blob,omitempty"` // decoded
	Meta     json.RawMessage `json:"-"`
	Raw      json.RawMessage `json:"-"`
}

// check reads the blob if there is no text, and fails without both.
func (r *ResourceContents) check(raw []byte, path string, err *Error) *Error {
	if rawjson.IsString(last(raw, "text")) {
		return err
	}
	blob, ok := last(raw, "blob"), false
	if r.Blob, ok = binary(blob); ok {
		return err
	}
	if rawjson.IsString(blob) {
		return &Error{Path: within(path, "blob"), Reason: "is not base64"}
	}
	return &Error{Path: path, Reason: "has neither text nor blob"}
}

// embedded is a resource in a block of content, which may be shown even if its uri is
// of no use.
type embedded ResourceContents

func (r *embedded) check(raw []byte, path string, _ *Error) *Error {
	r.URI, _ = lenient(last(raw, "uri"))
	return (*ResourceContents)(r).check(raw, path, nil)
}
