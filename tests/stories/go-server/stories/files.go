package stories

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addFiles adds list_files: roots/list, in a round without requestState.
func addFiles(d *desk) {
	addTool(d, &mcp.Tool{
		Name:        "list_files",
		Title:       "List the shared folders",
		Description: "Lists the roots that the client shares.",
		InputSchema: json.RawMessage(`{"type": "object"}`),
	}, files)
}

func files(_ struct{}, r round) reply {
	q := roots{name: "roots"}
	first := r.last.Tries == 0
	if first {
		// The answer decides nothing but what is read back to whoever gave it,
		// so it counts without a requestState that says it was asked for.
		r.last.Keys = []string{q.name}
	}
	list, ok := r.rootList(q)
	if !ok {
		rep := r.ask(nil, q)
		// From the first unusable answer on, the tries have to be counted.
		rep.stateless = first && len(r.answers) == 0
		return rep
	}
	if len(list) == 0 {
		return answer("The client shares no roots.")
	}
	lines := make([]string, len(list))
	for i, root := range list {
		if lines[i] = root.URI; root.Name != "" {
			lines[i] = fmt.Sprintf("%s (%s)", root.Name, root.URI)
		}
	}
	return answer("%s", strings.Join(lines, "\n"))
}
