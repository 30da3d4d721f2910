// Package features is what the servers of package interop have in common: the
// tools as they list them and the forms as they ask them.
package features

import (
	_ "embed"
	"encoding/json"
)

//go:embed features.json
var text []byte

// Features is the content of features.json.
type Features struct {
	Tools []Tool
	Forms map[string]Form
}

// Tool is a tool's definition.
type Tool struct {
	Name, Description string
	InputSchema       json.RawMessage
	Legacy            bool // only of servers of earlier eras
}

// Form is a question with fields.
type Form struct {
	Message         string
	RequestedSchema json.RawMessage
}

// Read returns the features.
func Read() Features {
	var f Features
	if err := json.Unmarshal(text, &f); err != nil {
		panic(err) // the file is part of the program
	}
	return f
}
