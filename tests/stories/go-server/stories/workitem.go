package stories

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addWorkItem adds update_work_item: a second form that depends on the answer
// to the first, which travels to the next round in requestState.
func addWorkItem(d *desk) {
	addTool(d, &mcp.Tool{
		Name:        "update_work_item",
		Title:       "Update a work item",
		Description: "Moves a work item to another state. Resolving it asks for the resolution, and a duplicate for its original.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {
				"id": {"type": "integer", "minimum": 1, "maximum": 2147483647},
				"state": {"type": "string", "minLength": 1, "maxLength": 64, "description": "For example New, Active, Resolved or Closed"}
			},
			"required": ["id", "state"]
		}`),
	}, workItem)
}

type workItemArgs struct {
	ID    int    `json:"id"`
	State string `json:"state"`
}

// workItemFacts is what the first form established.
type workItemFacts struct {
	Resolution string `json:"resolution"`
}

func workItem(in workItemArgs, r round) reply {
	if in.State != "Resolved" {
		return answer("Work item %d is now %s.", in.ID, in.State)
	}
	var known workItemFacts
	if r.recall(&known); known.Resolution == "" {
		q := resolutionForm(in)
		switch r.form(q, &known) {
		case accepted:
		case declined:
			return refuse("Work item %d is unchanged: the user declined to give a resolution.", in.ID)
		case cancelled:
			return refuse("Work item %d is unchanged: the user cancelled.", in.ID)
		default:
			return r.ask(nil, q)
		}
	}
	if known.Resolution == "Duplicate" {
		return duplicate(in, r, known)
	}
	return answer("Work item %d is now Resolved as %s.", in.ID, known.Resolution)
}

func duplicate(in workItemArgs, r round, known workItemFacts) reply {
	q := duplicateForm(in)
	var a struct {
		OriginalID int    `json:"original_id"`
		Comment    string `json:"comment"`
	}
	switch r.form(q, &a) {
	case accepted:
	case declined:
		return refuse("Work item %d is unchanged: the user declined to name the original.", in.ID)
	case cancelled:
		return refuse("Work item %d is unchanged: the user cancelled after choosing Duplicate.", in.ID)
	default:
		return r.ask(known, q)
	}
	if a.OriginalID == in.ID {
		return r.ask(known, q)
	}
	text := fmt.Sprintf("Work item %d is now Resolved as a duplicate of %d.", in.ID, a.OriginalID)
	if a.Comment != "" {
		text += fmt.Sprintf(" Comment: %q.", a.Comment)
	}
	return answer("%s", text)
}

func resolutionForm(in workItemArgs) form {
	return form{
		name:    "resolution",
		message: fmt.Sprintf("How was work item %d resolved?", in.ID),
		schema: `{
			"type": "object",
			"properties": {
				"resolution": {
					"type": "string",
					"title": "Resolution",
					"enum": ["Fixed", "Won't fix", "Duplicate", "By design"]
				}
			},
			"required": ["resolution"]
		}`,
	}
}

func duplicateForm(in workItemArgs) form {
	return form{
		name:    "duplicate",
		message: fmt.Sprintf("Which other work item does %d duplicate?", in.ID),
		schema: `{
			"type": "object",
			"properties": {
				"original_id": {"type": "integer", "title": "Original work item", "minimum": 1},
				"comment": {"type": "string", "title": "Comment", "maxLength": 200}
			},
			"required": ["original_id"]
		}`,
	}
}
