package stories

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// diskPrice is the cost of a data disk in EUR a month.
const diskPrice = 5

// addMachine adds provision_vm: consent to a cost, in a form that has a
// boolean, an integer with bounds and a choice of several.
func addMachine(d *desk) {
	addTool(d, &mcp.Tool{
		Name:        "provision_vm",
		Title:       "Provision a virtual machine",
		Description: "Provisions a virtual machine after the user has confirmed its monthly cost.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {
				"size": {"type": "string", "enum": ["small", "medium", "large"]},
				"region": {"type": "string", "pattern": "^[a-z0-9-]{1,32}$", "default": "westeurope"}
			},
			"required": ["size"]
		}`),
	}, machine)
}

func machine(in struct {
	Size   string `json:"size"`
	Region string `json:"region"`
}, r round) reply {
	price := map[string]int{"small": 12, "medium": 48, "large": 190}[in.Size]
	q := form{
		name: "confirm",
		message: fmt.Sprintf("A %s machine in %s costs %d EUR a month, and each data disk %d EUR more. Provision it?",
			in.Size, in.Region, price, diskPrice),
		schema: `{
			"type": "object",
			"properties": {
				"confirm": {"type": "boolean", "title": "I accept the monthly cost", "default": false},
				"disks": {"type": "integer", "title": "Data disks", "minimum": 1, "maximum": 8, "default": 1},
				"tags": {
					"type": "array",
					"title": "Tags",
					"items": {
						"anyOf": [
							{"const": "dev", "title": "Development"},
							{"const": "test", "title": "Test"},
							{"const": "prod", "title": "Production"}
						]
					},
					"maxItems": 3
				}
			},
			"required": ["confirm"]
		}`,
	}
	var a struct {
		Confirm bool     `json:"confirm"`
		Disks   int      `json:"disks"`
		Tags    []string `json:"tags"`
	}
	switch r.form(q, &a) {
	case accepted:
	case declined:
		return refuse("Nothing was provisioned: the user declined.")
	case cancelled:
		return refuse("Nothing was provisioned: the user cancelled.")
	default:
		return r.ask(nil, q)
	}
	if !a.Confirm {
		return refuse("Nothing was provisioned: the user did not accept the monthly cost.")
	}
	slices.Sort(a.Tags)
	tags := "no tags"
	if len(a.Tags) > 0 {
		tags = "tags " + strings.Join(slices.Compact(a.Tags), ", ")
	}
	return answer("Provisioned a %s machine in %s with %d data disk(s) and %s for %d EUR a month.",
		in.Size, in.Region, a.Disks, tags, price+a.Disks*diskPrice)
}
