package proposals

import (
	"encoding/json"
	"fmt"
)

// csAsk is one entry of inputRequests.
type csAsk struct {
	key, method string
	params      map[string]any
}

// csOutcome is what a tool's code comes to in a round: a text, or what it asks.
// state is "" where the code hangs and the server makes one.
type csOutcome struct {
	text      string
	makesTask bool // the text is a task's
	asks      []csAsk
	state     string
}

func elicit(key, message, field string, schema map[string]any) csAsk {
	requested := map[string]any{"type": "object", "properties": map[string]any{}}
	if field != "" {
		requested["properties"] = map[string]any{field: schema}
	}
	return csAsk{key, "elicitation/create", map[string]any{"message": message, "requestedSchema": requested}}
}

// content is the first value of what was answered to a key.
func (c *csCall) content(key string) any {
	var answer struct{ Content map[string]any }
	json.Unmarshal(c.answers[key], &answer)
	for _, value := range answer.Content {
		return value
	}
	return nil
}

func (c *csCall) action(key string) (action string) {
	var answer struct{ Action string }
	json.Unmarshal(c.answers[key], &answer)
	return answer.Action
}

// run runs the code of the page's tools once.
func (c *csCall) run() csOutcome {
	text := func(format string, args ...any) csOutcome { return csOutcome{text: fmt.Sprintf(format, args...)} }
	switch c.name {
	case "ConfirmAction": // High-level API
		if c.round == 0 {
			return csOutcome{asks: []csAsk{elicit("input_1", fmt.Sprintf("Do you want to proceed with: %v?", c.arguments["action"]), "confirm", map[string]any{"type": "boolean", "description": "Confirm the action"})}}
		}
		if c.action("input_1") != "accept" {
			return text("Action cancelled.")
		}
		return text("Action confirmed!")
	case "StatelessTool": // Returning an incomplete result
		if c.state != "" {
			return text("You answered: %v", c.content("user_answer"))
		}
		return csOutcome{state: "awaiting-answer", asks: []csAsk{elicit("user_answer", fmt.Sprintf("Please answer: %v", c.arguments["question"]), "answer", map[string]any{"type": "string", "description": "Your answer"})}}
	case "DeferredTool": // Load shedding
		if c.state == "eyJTdGVwIjoxfQ==" {
			return text("Completed step 1")
		}
		return csOutcome{state: "eyJTdGVwIjoxfQ=="}
	case "WizardTool": // Multiple round trips
		switch c.state {
		case "step-1":
			return csOutcome{state: "step-2", asks: []csAsk{elicit("age", fmt.Sprintf("Hi %v! How old are you?", c.content("name")), "age", map[string]any{"type": "number", "description": "Your age"})}}
		case "step-2":
			return text("Welcome! You are %v years old.", c.content("age"))
		}
		return csOutcome{state: "step-1", asks: []csAsk{elicit("name", "What's your name?", "name", map[string]any{"type": "string", "description": "Your name"})}}
	case "GetWeather": // Backward compatibility
		if c.state != "" {
			return text("Weather for %v: %s", c.arguments["location"], c.action("units"))
		}
		return csOutcome{state: "awaiting-units", asks: []csAsk{elicit("units", "Which temperature units?", "", nil)}}
	case "MixedTool": // "Multiple in a single round", of the three kinds
		if c.state != "" {
			var sampled struct{ Content struct{ Text string } }
			var roots struct{ Roots []struct{ URI string } }
			json.Unmarshal(c.answers["summary"], &sampled)
			json.Unmarshal(c.answers["where"], &roots)
			return text("%s, %s, %d roots", c.action("confirm"), sampled.Content.Text, len(roots.Roots))
		}
		return csOutcome{state: "mixed", asks: []csAsk{
			elicit("confirm", "Go on?", "", nil),
			{"summary", "sampling/createMessage", map[string]any{"messages": []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": "Summarise."}}}, "maxTokens": 100}},
			{"where", "roots/list", map[string]any{}},
		}}
	case "provision-vm": // Transitioning from MRTR to Tasks
		if c.round == 0 {
			return csOutcome{asks: []csAsk{elicit("input_1", fmt.Sprintf("Provision VM '%v'? This will incur costs.", c.arguments["vmName"]), "", nil)}}
		}
		if c.action("input_1") != "accept" {
			return text("Cancelled by user.")
		}
		out := text("VM '%v' provisioned successfully.", c.arguments["vmName"])
		out.makesTask = c.isTask
		return out
	}
	return text("Unknown tool: '%s'", c.name)
}
