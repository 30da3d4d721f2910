package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"unicode"

	"github.com/parley-mcp/parley/engine/form"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// ask puts a form to the person, one field after the other.
func ask(_ context.Context, q parley.Question) ([]byte, error) {
	var params struct {
		Message         string
		RequestedSchema json.RawMessage
	}
	if err := json.Unmarshal(q.Params, &params); err != nil {
		return nil, err
	}
	schema, problem := form.Parse(params.RequestedSchema)
	if problem != nil {
		return nil, problem
	}
	fmt.Println("\nThe server asks: " + shown(params.Message))
	content := map[string]json.RawMessage{}
	for i := 0; i < len(schema.Fields); {
		field := &schema.Fields[i]
		for _, option := range field.Options {
			fmt.Println("  - " + shown(option.Value) + ": " + shown(option.Title))
		}
		prompt := field.Title
		if field.Default != "" {
			prompt += " [" + field.Default + "]"
		}
		typed, refusal := readLine(shown(prompt))
		if refusal != nil {
			return refusal, nil
		}
		value, problem := field.Parse(typed)
		if typed == "" && field.Default != "" {
			value, problem = []byte(field.Default), nil
		}
		if problem != nil {
			fmt.Println("  It " + shown(problem.Message) + ".")
			continue // with the same field
		}
		if value != nil { // else it was left out, and may be
			content[field.Name] = value
		}
		i++
	}
	if _, refusal := readLine("Enter sends this"); refusal != nil {
		return refusal, nil
	}
	return parley.Accept(content)
}

var input = bufio.NewScanner(os.Stdin)

// readLine asks for one line. /decline, or the end of the input, refuses the
// whole question.
func readLine(prompt string) (typed string, refusal []byte) {
	fmt.Print("  " + prompt + " (or /decline): ")
	switch {
	case !input.Scan():
		return "", parley.Dismiss()
	case input.Text() == "/decline":
		return "", parley.Decline()
	}
	return input.Text(), nil
}

// shown is text of a server without what a terminal would obey, such as escape
// sequences, and on lines that cannot pass for this program's own.
func shown(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
	return strings.ReplaceAll(text, "\n", "\n| ")
}
