package stories

import (
	"encoding/json"
	"maps"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// form is an elicitation/create question. The schema shown to the user is the
// schema their answer is held against.
type form struct {
	name    string // its key in inputRequests
	message string
	schema  string // the JSON Schema subset of elicitation, in the order to display
}

// outcome is what became of a form.
type outcome int

const (
	unusable  outcome = iota // missing, malformed or out of range: ask again
	accepted                 // the content is valid
	declined                 // the user said no
	cancelled                // the user walked away
)

func (f form) key() string { return f.name }

func (f form) request(again bool) mcp.InputRequest {
	message := f.message
	if again {
		message = "That answer could not be used. " + message
	}
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(f.schema)}
}

// form reads the answer to f into content, a pointer to a struct, with the
// schema's defaults for what the user left out. content is untouched unless the
// outcome is accepted.
func (r round) form(f form, content any) outcome {
	res, _ := r.answers[f.name].(*mcp.ElicitResult)
	if res == nil || !r.asked(f.name) {
		return unusable
	}
	switch res.Action {
	case "accept":
		if f.decode(res.Content, content) {
			return accepted
		}
	case "decline":
		return declined
	case "cancel":
		return cancelled
	}
	return unusable
}

func (f form) decode(values map[string]any, content any) bool {
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(f.schema), &schema); err != nil {
		return false
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return false
	}
	// Members the form does not have are dropped, not just ignored:
	// encoding/json would take one that differs in case for a field.
	values = maps.Clone(values)
	maps.DeleteFunc(values, func(name string, _ any) bool { return schema.Properties[name] == nil })
	if values == nil {
		values = map[string]any{}
	}
	if resolved.Validate(values) != nil || resolved.ApplyDefaults(&values) != nil {
		return false
	}
	text, err := json.Marshal(values)
	return err == nil && json.Unmarshal(text, content) == nil
}
