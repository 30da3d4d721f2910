package stories

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addReview adds the prompt code_review: prompts/get may ask, too.
func addReview(d *desk) {
	addPrompt(d, &mcp.Prompt{
		Name:        "code_review",
		Title:       "Review code",
		Description: "A request to review code. Asks for its language and what to look for.",
		Arguments:   []*mcp.PromptArgument{{Name: "code", Description: "The code; without it the prompt is about the code at hand"}},
	}, review)
}

func review(in map[string]string, r round) reply {
	q := form{
		name:    "review",
		message: "What is to be reviewed, and for what?",
		schema: `{
			"type": "object",
			"properties": {
				"language": {"type": "string", "title": "Language", "enum": ["Go", "TypeScript", "Python", "other"]},
				"focus": {
					"type": "string",
					"title": "Focus",
					"oneOf": [
						{"const": "correctness", "title": "Is it right?"},
						{"const": "security", "title": "Is it safe?"},
						{"const": "readability", "title": "Is it clear?"}
					],
					"default": "correctness"
				}
			},
			"required": ["language"]
		}`,
	}
	a := struct {
		Language string `json:"language"`
		Focus    string `json:"focus"`
	}{"other", "correctness"}
	switch r.form(q, &a) {
	case accepted, declined: // declined: the most general review
	case cancelled:
		return refuse("The user cancelled the code review")
	default:
		return r.ask(nil, q)
	}
	code := "this code"
	if a.Language != "other" {
		code = "this " + a.Language + " code"
	}
	text := fmt.Sprintf("Review %s for %s.", code, a.Focus)
	if in["code"] != "" {
		text += "\n\n" + in["code"]
	}
	return answer("%s", text)
}
