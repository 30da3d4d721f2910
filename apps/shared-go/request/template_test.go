package request_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/request"
)

// TestExpansions plays a file that apps/shared-js plays as well.
func TestTemplateExpansions(t *testing.T) {
	text, err := os.ReadFile("testdata/expansions.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Template, Expanded string
		Variables          *string // null where it is no template
		Values             map[string]string
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		t.Run(row.Template, func(t *testing.T) {
			var names []string
			for _, v := range request.TemplateVariables(row.Template) {
				if !v.Required {
					v.Name += "?"
				}
				names = append(names, v.Name)
			}
			want := ""
			if row.Variables != nil {
				want = *row.Variables
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("variables: got %q, want %q", got, want)
			}
			if got := request.ExpandTemplate(row.Template, row.Values); got != row.Expanded {
				t.Errorf("got %q, want %q", got, row.Expanded)
			}
		})
	}
}

// TestLong has a template that is too long to look at.
func TestLongTemplate(t *testing.T) {
	if got := request.TemplateVariables("a://{x}" + strings.Repeat("y", 8<<10)); got != nil {
		t.Errorf("got %v, want none", got)
	}
}
