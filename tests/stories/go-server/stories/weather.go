package stories

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addWeather adds get_weather: one form, then the answer.
func addWeather(d *desk) {
	addTool(d, &mcp.Tool{
		Name:        "get_weather",
		Title:       "Get the weather",
		Description: "Tells the weather at a location. Asks which units to use.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"location": {"type": "string", "minLength": 1, "maxLength": 100}},
			"required": ["location"]
		}`),
	}, weather)
}

func weather(in struct {
	Location string `json:"location"`
}, r round) reply {
	q := form{
		name:    "units",
		message: "Which units should the weather in " + in.Location + " be in?",
		schema: `{
			"type": "object",
			"properties": {
				"units": {
					"type": "string",
					"title": "Units",
					"oneOf": [
						{"const": "metric", "title": "Metric (°C, km/h)"},
						{"const": "imperial", "title": "Imperial (°F, mph)"}
					],
					"default": "metric"
				}
			},
			"required": ["units"]
		}`,
	}
	var a struct {
		Units string `json:"units"`
	}
	switch r.form(q, &a) {
	case accepted:
	case declined:
		a.Units = "metric" // no preference
	case cancelled:
		return refuse("The user cancelled: no weather for %s.", in.Location)
	default:
		return r.ask(nil, q)
	}
	if a.Units == "imperial" {
		return answer("%s: 64 °F, light rain, wind 9 mph.", in.Location)
	}
	return answer("%s: 18 °C, light rain, wind 15 km/h.", in.Location)
}
