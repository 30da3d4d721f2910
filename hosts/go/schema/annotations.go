package schema

import (
	"encoding/json"

	"github.com/parley-mcp/parley/rawjson"
)

// Annotations say who content or a resource is for, and how much it matters.
type Annotations struct {
	Audience     []string `json:"audience,omitempty"` // user, assistant
	Priority     float64  `json:"priority,omitempty"` // 1 is required reading, 0 is optional
	LastModified string   `json:"lastModified,omitempty"`
}

func readAnnotations(raw []byte) *Annotations {
	a := new(Annotations)
	if members(raw, "", func(name string, v []byte) *Error {
		switch name {
		case "audience":
			a.Audience = some(v, readString)
		case "priority":
			a.Priority = 0
			if rawjson.IsNumber(v) {
				json.Unmarshal(v, &a.Priority) // one that is no float64 is 0
			}
		case "lastModified":
			a.LastModified = optional(v)
		}
		return nil
	}) != nil {
		return nil
	}
	return a
}

// Icon is a picture a host may show. Its Source is the server's: fetch it as
// carefully as any other.
type Icon struct {
	Source   string   `json:"src"`
	MIMEType string   `json:"mimeType,omitempty"`
	Sizes    []string `json:"sizes,omitempty"` // such as 48x48, any
	Theme    string   `json:"theme,omitempty"` // light, dark
}

func readIcon(i *Icon, raw []byte, path string) *Error {
	var src []byte
	if err := members(raw, path, func(name string, v []byte) *Error {
		switch name {
		case "src":
			src = v
		case "mimeType":
			i.MIMEType = optional(v)
		case "sizes":
			i.Sizes = some(v, readString)
		case "theme":
			i.Theme = optional(v)
		}
		return nil
	}); err != nil {
		return err
	}
	return needed(&i.Source, src, path, "src")
}
