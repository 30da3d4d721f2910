package form_test

import (
	"fmt"

	"github.com/parley-mcp/parley/engine/form"
)

func Example() {
	schema, problem := form.Parse([]byte(`{
		"type": "object",
		"properties": {
			"name":  {"type": "string", "title": "Your name", "minLength": 1},
			"seats": {"type": "integer", "minimum": 1, "maximum": 8, "default": 2},
			"class": {"type": "string", "oneOf": [{"const": "y", "title": "Economy"}, {"const": "c", "title": "Business"}]}
		},
		"required": ["name", "seats"]
	}`))
	if problem != nil {
		fmt.Println(problem) // the server's fault: nobody is asked
		return
	}
	fmt.Printf("starts with %s\n", schema.Fill(nil))
	for i, typed := range []string{"Mona", "9", "Business"} {
		field := &schema.Fields[i]
		if value, problem := field.Parse(typed); problem != nil {
			fmt.Printf("%s %s\n", field.Title, problem.Message)
		} else {
			fmt.Printf("%s: %s\n", field.Title, value)
		}
	}
	for _, problem := range schema.Check([]byte(`{"seats": 2, "window": true}`)) {
		fmt.Println(problem.Error())
	}
	// Output:
	// starts with {"seats":2}
	// Your name: "Mona"
	// seats must be at most 8
	// class: "c"
	// "window" is not part of the question
	// "name" must be filled in
}

// A host that reads lines asks a form like this. What is typed here comes from a
// list in place of a person.
func ExampleAsk() {
	params := []byte(`{"message": "Which seats?", "requestedSchema": {
		"type": "object",
		"properties": {
			"seats": {"type": "integer", "title": "Seats", "minimum": 1, "maximum": 8, "default": 2},
			"class": {"type": "string", "oneOf": [{"const": "y", "title": "Economy"}, {"const": "c", "title": "Business"}]}
		},
		"required": ["class"]
	}}`)
	lines := []string{"9", "3", "Business", "yes"}
	result, err := form.Ask(params, func(p form.Prompt) (string, bool) {
		typed := lines[0]
		lines = lines[1:]
		fmt.Println(p.String() + typed)
		return typed, true
	})
	fmt.Printf("%s %v\n", result, err)
	// Output:
	// | Which seats?
	// Seats [2]: 9
	//   Seats must be at most 8.
	// Seats [2]: 3
	//   - Economy (y)
	//   - Business (c)
	// class: Business
	// Send this (yes or no): yes
	// {"action":"accept","content":{"seats":3,"class":"c"}} <nil>
}
