package gosdk

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// askTag marks the fields that [Resolve] asks for.
const askTag = "ask"

// Resolve makes a tool for [mcp.AddTool] of a handler some of whose arguments come
// from the person, not from the model. Such a field of In has the tag `ask` with
// the question, and the tag `json:"-"`, which keeps it out of the tool's
// InputSchema. Its type is a struct, which makes the form as [Form] does:
//
//	type booking struct {
//		City string  `json:"city"`
//		Room room    `json:"-" ask:"Which room?"`
//		Note *remark `json:"-" ask:"Anything else?"`
//	}
//
// All the fields are asked for at once, in the order of their names, before the handler runs. If the person
// declines or cancels, a field behind a pointer is nil; for any other, the handler
// does not run, and the call ends with a tool error that says so. An answer that
// does not fit its form is asked for again, as by [Ask]: clients of earlier
// revisions are asked once, and it ends the call. A client that did not declare
// forms gets the error -32021.
//
// The handler runs once, after the last answer. The server needs the middleware
// [Guard]. A handler of Resolve asks for nothing else: it sets neither InputRequests
// nor RequestState. One that asks in its middle is for [AskingFor].
//
// Resolve panics if In has no such field, if one of them could be set by the model
// too, or if MCP has no form for its type.
func Resolve[In, Out any](h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	fields, err := resolvable(reflect.TypeFor[In]())
	if err != nil {
		panic(fmt.Sprintf("gosdk: Resolve: %v", err))
	}
	questions := mcp.InputRequestMap{}
	for _, f := range fields {
		questions[f.key] = f.question
	}
	return askingFor(func(ctx context.Context, ask *Ask, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		var none Out
		answers, err := ask.All(ctx, questions)
		if err != nil {
			return nil, none, err
		}
		for _, f := range fields {
			if err := f.set(reflect.ValueOf(&in).Elem(), answers[f.key].(*mcp.ElicitResult)); err != nil {
				return nil, none, err
			}
		}
		res, out, err := h(ctx, req, in)
		if err == nil && res != nil && (res.InputRequests != nil || res.RequestState != "") {
			return nil, none, errResolved
		}
		return res, out, err
	})
}

// resolvedField is a field that a person fills in.
type resolvedField struct {
	key      string // of the question
	index    int
	optional bool
	question *mcp.ElicitParams
	form     *strictForm
}

// askedFields are the fields with the tag, also those of embedded structs.
func askedFields(t reflect.Type) []reflect.StructField {
	var asked []reflect.StructField
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			if _, ok := f.Tag.Lookup(askTag); ok {
				asked = append(asked, f)
			}
		}
	}
	return asked
}

func resolvable(t reflect.Type) ([]resolvedField, error) {
	var fields []resolvedField
	for _, f := range askedFields(t) {
		field, err := resolvedFieldOf(f)
		if err != nil {
			return nil, fmt.Errorf("field %s of %v: %s", f.Name, t, strings.TrimPrefix(err.Error(), "gosdk: "))
		}
		fields = append(fields, field)
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("%v is no struct with a field that has the tag %s", t, askTag)
	}
	return fields, nil
}

func resolvedFieldOf(f reflect.StructField) (resolvedField, error) {
	message, of := f.Tag.Get(askTag), f.Type
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case len(f.Index) > 1:
		return resolvedField{}, errors.New("it is in an embedded struct: move it to the arguments themselves")
	case !f.IsExported():
		return resolvedField{}, errors.New("it cannot be set: begin its name with a capital letter")
	case f.Tag.Get("json") != "-":
		return resolvedField{}, errors.New(`the model could set what the person is asked for: add the tag json:"-", or leave out the tag ` + askTag)
	case message == "":
		return resolvedField{}, errors.New("the tag " + askTag + " is empty: write the question into it")
	case of.Kind() != reflect.Struct:
		return resolvedField{}, fmt.Errorf("%v is no struct, of which a form could be made: put it into one", f.Type)
	}
	schema, form, err := formOf(of)
	if err != nil {
		return resolvedField{}, err
	}
	question := &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}
	return resolvedField{f.Name, f.Index[0], of != f.Type, question, form}, nil
}

// set puts an answer into the arguments.
func (f *resolvedField) set(in reflect.Value, answer *mcp.ElicitResult) error {
	field := in.Field(f.index)
	switch {
	case answer.Action != "accept" && f.optional:
		return nil
	case answer.Action == "decline":
		return fmt.Errorf("The person declined to answer the question %q", f.question.Message)
	case answer.Action != "accept":
		return fmt.Errorf("The person dismissed the question %q", f.question.Message)
	case f.optional:
		field.Set(reflect.New(field.Type().Elem()))
		return f.form.fill(field.Interface(), answer.Content)
	}
	return f.form.fill(field.Addr().Interface(), answer.Content)
}

var errResolved = internalError("This server asks in two ways at once: a handler of gosdk.Resolve sets no InputRequests and no RequestState, one of gosdk.AskingFor asks by its Ask")
