package stories

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addBusy adds busy_report: a server that sheds load. It asks nothing, the
// client is only to come back, as often as waits says.
//
// The SDK spells such a round "inputRequests":{}; left out, it would call the
// result complete. Clients have to understand both.
func addBusy(d *desk) {
	addTool(d, &mcp.Tool{
		Name:        "busy_report",
		Title:       "Report from a busy server",
		Description: "Makes the client come back a number of times before it answers.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"waits": {"type": "integer", "minimum": 1, "maximum": 10, "default": 3}}
		}`),
	}, busy)
}

func busy(in struct {
	Waits int `json:"waits"`
}, r round) reply {
	var seen struct {
		Waits int `json:"waits"`
	}
	if r.recall(&seen); seen.Waits == in.Waits {
		return answer("The report is ready after %d wait(s).", in.Waits)
	}
	seen.Waits++
	return r.wait(seen)
}
