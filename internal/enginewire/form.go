package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/rawjson"
)

var kindNames = [...]string{
	form.String: "string", form.Number: "number", form.Integer: "integer",
	form.Boolean: "boolean", form.Choice: "choice", form.Choices: "choices",
}

// AppendForm appends the fields of a requestedSchema for a host to render,
//
//	{"fields":[{"name":"size","kind":"choice","title":"Size","required":true,"options":[{"value":"s","title":"Small"}],"default":"\"s\""}],"defaults":"{…}"}
//
// or {"problem":{"property":"…","message":"…"}}. Members that say nothing are
// left out; default and defaults are JSON text.
func AppendForm(dst, requestedSchema []byte) []byte {
	schema, problem := readSchema(requestedSchema)
	w := writer{dst}
	if problem != nil {
		w.problem(problem)
		return w.dst
	}
	w.put(`{"fields":[`)
	for i := range schema.Fields {
		if i > 0 {
			w.put(",")
		}
		w.field(&schema.Fields[i])
	}
	w.put("]")
	w.raw("defaults", schema.Fill(nil))
	w.put("}")
	return w.dst
}

func (w *writer) field(f *form.Field) {
	w.put("{")
	w.string("name", f.Name)
	w.string("kind", kindNames[f.Kind])
	w.words("title", f.Title)
	w.words("description", f.Description)
	w.flag("required", f.Required)
	w.words("format", string(f.Format))
	w.nonZero("minLength", int64(f.MinLength))
	w.nonZero("maxLength", int64(f.MaxLength))
	w.words("minimum", f.Minimum)
	w.words("maximum", f.Maximum)
	w.nonZero("minItems", int64(f.MinItems))
	w.nonZero("maxItems", int64(f.MaxItems))
	if len(f.Options) > 0 {
		w.put(`,"options":[`)
		for i := range f.Options {
			if i > 0 {
				w.put(",")
			}
			w.put("{")
			w.string("value", f.Options[i].Value)
			w.string("title", f.Options[i].Title)
			w.put("}")
		}
		w.put("]")
	}
	w.words("default", f.Default)
	w.put("}")
}

// AppendFieldCheck answers {"schema":"…","field":"…","typed":"…"}: what a person
// typed into a field, as {"value":"…"}, which is the JSON text to send, as {}
// where the field is to be left out, or as
// {"problem":{"property":"…","message":"…"}}. With "value", JSON text, in place
// of typed, it checks a value that a host made itself. request is used as
// memory: see the package comment.
func AppendFieldCheck(dst, request []byte) []byte {
	var text, value []byte
	var name, typed string
	isTyped := false
	var o object
	o.start("field", request)
	for o.next() {
		switch {
		case o.is("schema"):
			text = o.text()
		case o.is("field"):
			name = string(o.text())
		case o.is("typed"):
			typed, isTyped = string(o.text()), true
		case o.is("value"):
			value = o.text()
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return AppendError(dst, o.err)
	}
	w := writer{dst}
	schema, problem := readSchema(text)
	if problem != nil {
		w.problem(problem)
		return w.dst
	}
	for i := range schema.Fields {
		f := &schema.Fields[i]
		if f.Name != name {
			continue
		}
		if isTyped {
			value, problem = f.Parse(typed)
		}
		leftOut := isTyped && value == nil // nothing typed into an optional field
		if problem == nil && !leftOut {
			problem = f.Check(value)
		}
		if problem != nil {
			w.problem(problem)
			return w.dst
		}
		w.put("{")
		w.raw("value", value)
		w.put("}")
		return w.dst
	}
	return AppendError(dst, &engine.Error{Code: fault.Order, Detail: "field: the schema has no field of this name"})
}

// readSchema reads a schema that comes from a host rather than through a flow.
func readSchema(text []byte) (form.Schema, *form.Problem) {
	if err := rawjson.Strict(text); err != nil {
		return form.Schema{}, &form.Problem{Message: "the schema is not strict JSON: " + err.Error()}
	}
	return form.Parse(text)
}

func (w *writer) problem(p *form.Problem) {
	w.put(`{"problem":{`)
	w.string("property", p.Property)
	w.string("message", p.Message)
	w.put("}}")
}
