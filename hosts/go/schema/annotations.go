package schema

// Annotations say who content or a resource is for, and how much it matters.
type Annotations struct {
	Audience     []string `json:"audience,omitempty"` // user, assistant
	Priority     float64  `json:"priority,omitempty"` // 1 is required reading, 0 is optional
	LastModified string   `json:"lastModified,omitempty"`
}

// Icon is a picture a host may show. Its Source is the server's: fetch it as
// carefully as any other.
type Icon struct {
	Source   string   `json:"src"`
	MIMEType string   `json:"mimeType,omitempty"`
	Sizes    []string `json:"sizes,omitempty"` // such as 48x48, any
	Theme    string   `json:"theme,omitempty"` // light, dark
}
