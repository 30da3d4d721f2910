package stories

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addTrip adds plan_trip: all three kinds of question in one round. Of a round
// that was answered in part, only the rest is asked again.
func addTrip(d *desk) {
	addTool(d, &mcp.Tool{
		Name:        "plan_trip",
		Title:       "Plan a trip",
		Description: "Plans a trip from the user's preferences, the ideas of the client's model and a folder to keep the plan in.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"destination": {"type": "string", "minLength": 1, "maxLength": 100}},
			"required": ["destination"]
		}`),
	}, trip)
}

// tripFacts is what the client has answered so far.
type tripFacts struct {
	Preferences *tripPreferences `json:"preferences,omitempty"`
	Ideas       string           `json:"ideas,omitempty"`
	Folder      string           `json:"folder,omitempty"`
}

type tripPreferences struct {
	Start string `json:"start"`
	Days  int    `json:"days"`
	Pace  string `json:"pace"`
}

func trip(in struct {
	Destination string `json:"destination"`
}, r round) reply {
	var known tripFacts
	r.recall(&known)
	var missing []question

	preferences := preferencesForm(in.Destination)
	if known.Preferences == nil {
		var a tripPreferences
		switch r.form(preferences, &a) {
		case accepted:
			if _, err := time.Parse(time.DateOnly, a.Start); err == nil {
				known.Preferences = &a
			}
		case declined:
			return refuse("No trip to %s was planned: the user declined.", in.Destination)
		case cancelled:
			return refuse("No trip to %s was planned: the user cancelled.", in.Destination)
		}
		if known.Preferences == nil {
			missing = append(missing, preferences)
		}
	}

	ideas := sample{
		name:      "ideas",
		prompt:    fmt.Sprintf("Name three things to see in %s, in one sentence.", in.Destination),
		maxTokens: 300,
	}
	if text, ok := r.sampled(ideas); ok {
		known.Ideas = text
	} else if known.Ideas == "" {
		missing = append(missing, ideas)
	}

	folders := roots{name: "folders"}
	if list, ok := r.rootList(folders); ok {
		if known.Folder = "nowhere"; len(list) > 0 {
			known.Folder = list[0].URI
		}
	} else if known.Folder == "" {
		missing = append(missing, folders)
	}

	if len(missing) > 0 {
		return r.ask(known, missing...)
	}
	p := known.Preferences
	return answer("%d %s days in %s from %s, kept in %s. %s",
		p.Days, p.Pace, in.Destination, p.Start, known.Folder, known.Ideas)
}

func preferencesForm(destination string) form {
	return form{
		name:    "preferences",
		message: "When do you want to go to " + destination + ", and how?",
		schema: `{
			"type": "object",
			"properties": {
				"start": {"type": "string", "title": "First day", "format": "date"},
				"days": {"type": "integer", "title": "Days", "minimum": 1, "maximum": 14, "default": 3},
				"pace": {
					"type": "string",
					"title": "Pace",
					"oneOf": [
						{"const": "relaxed", "title": "Take it easy"},
						{"const": "busy", "title": "See everything"}
					],
					"default": "relaxed"
				}
			},
			"required": ["start"]
		}`,
	}
}
