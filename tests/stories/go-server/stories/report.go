package stories

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addReport adds the resource parley://report/quarterly: resources/read may
// ask, too.
func addReport(d *desk) {
	addResource(d, &mcp.Resource{
		URI:         "parley://report/quarterly",
		Name:        "quarterly_report",
		Title:       "Quarterly report",
		Description: "The figures of a quarter. Asks which one.",
		MIMEType:    "text/markdown",
	}, report)
}

func report(_ struct{}, r round) reply {
	q := form{
		name:    "quarter",
		message: "Which quarter do you want the figures of?",
		schema: `{
			"type": "object",
			"properties": {
				"quarter": {"type": "string", "title": "Quarter", "enum": ["Q1", "Q2", "Q3", "Q4"]}
			},
			"required": ["quarter"]
		}`,
	}
	var a struct {
		Quarter string `json:"quarter"`
	}
	figures := []string{
		"| Q1 | 1200 |",
		"| Q2 | 1350 |",
		"| Q3 | 1280 |",
		"| Q4 | 1510 |",
	}
	switch r.form(q, &a) {
	case accepted:
		figures = figures[a.Quarter[1]-'1':][:1]
	case declined: // no preference: the whole year
	case cancelled:
		return refuse("The user cancelled the report")
	default:
		return r.ask(nil, q)
	}
	return answer("| Quarter | Orders |\n|---|---|\n%s\n", strings.Join(figures, "\n"))
}
