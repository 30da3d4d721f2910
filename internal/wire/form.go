package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

var kindNames = [...]string{
	form.String: "string", form.Number: "number", form.Integer: "integer",
	form.Boolean: "boolean", form.Choice: "choice", form.Choices: "choices", form.List: "list", form.Union: "union",
}

// AppendForm appends the fields of a requestedSchema for a host to render,
//
//	{"fields":[{"name":"size","kind":"choice","title":"Size","required":true,"options":[{"value":"\"s\"","title":"Small"}],"default":"\"s\""}],"defaults":"{…}"}
//
// or {"problem":{"property":"…","code":8,"message":"…"}}. Members that say nothing are
// left out; default and defaults are JSON text.
func (n Notation) AppendForm(dst, requestedSchema []byte) []byte {
	schema, problem := readSchema(requestedSchema)
	var w walk
	w.write(n, dst)
	if problem != nil {
		w.problem(problem)
		return w.End()
	}
	w.Put(`{"fields":[`)
	for i := range schema.Fields {
		w.Comma()
		w.field(&schema.Fields[i])
	}
	w.Put("]")
	defaults := schema.Fill(nil)
	w.Raw("defaults", may, &defaults)
	w.unchecked(schema.Unchecked)
	w.Close()
	return w.End()
}

func (w *walk) field(f *form.Field) {
	w.Put("{")
	w.Text("name", must, &f.Name)
	w.Text("kind", must, &kindNames[f.Kind])
	w.Text("title", may, &f.Title)
	w.Text("description", may, &f.Description)
	w.Bool("required", may, &f.Required)
	w.Bool("nullable", may, &f.Nullable)
	w.Bool("readOnly", may, &f.ReadOnly)
	w.Bool("deprecated", may, &f.Deprecated)
	w.Text("format", may, (*string)(&f.Format))
	w.Int("minLength", may, &f.MinLength)
	w.Int("maxLength", may, &f.MaxLength)
	w.Text("minimum", may, &f.Minimum)
	w.Text("maximum", may, &f.Maximum)
	w.Text("exclusiveMinimum", may, &f.ExclusiveMinimum)
	w.Text("exclusiveMaximum", may, &f.ExclusiveMaximum)
	w.Text("multipleOf", may, &f.MultipleOf)
	w.Int("minItems", may, &f.MinItems)
	w.Int("maxItems", may, &f.MaxItems)
	w.Bool("uniqueItems", may, &f.UniqueItems)
	if len(f.Options) > 0 {
		w.Put(`,"options":[`)
		for i := range f.Options {
			w.Comma()
			w.Put("{")
			w.Text("value", must, &f.Options[i].Value)
			w.Text("title", must, &f.Options[i].Title)
			w.Close()
		}
		w.Put("]")
	}
	if f.Items != nil {
		w.Put(`,"items":`)
		w.field(f.Items)
	}
	if len(f.Alternatives) > 0 {
		w.Put(`,"alternatives":[`)
		for i := range f.Alternatives {
			w.Comma()
			w.field(&f.Alternatives[i])
		}
		w.Put("]")
	}
	w.Text("default", may, &f.Default)
	if len(f.Examples) > 0 {
		w.Put(`,"examples":[`)
		for _, example := range f.Examples {
			w.Comma()
			w.Quoted(example)
		}
		w.Put("]")
	}
	w.unchecked(f.Unchecked)
	w.Close()
}

func (w *walk) unchecked(notes []form.Unchecked) {
	if len(notes) == 0 {
		return
	}
	w.Put(`,"unchecked":[`)
	for i := range notes {
		w.Comma()
		w.Put("{")
		w.Text("keyword", must, &notes[i].Keyword)
		w.Text("value", may, &notes[i].Value)
		w.Close()
	}
	w.Put("]")
}

// AppendFieldCheck answers {"schema":"…","field":"…","typed":"…"}: what a person
// typed into a field, as {"value":"…"}, which is the JSON text to send, as {}
// where the field is to be left out, or as
// {"problem":{"property":"…","code":8,"message":"…"}}. With "value", JSON text, in place
// of typed, it checks a value that a host made itself. "alternative" is the index of
// the one that the person picked of a union. request is used as
// memory: see the package comment.
func (n Notation) AppendFieldCheck(dst, request []byte) []byte {
	var text, value, typed []byte
	var name string
	alternative := -1
	var r walk
	r.read(n, "field", request)
	for r.Next() {
		r.Raw("schema", may, &text)
		r.Text("field", may, &name)
		r.Raw("typed", may, &typed)
		r.Raw("value", may, &value)
		r.Int("alternative", may, &alternative)
	}
	if bad := r.flaw(fault.Order); bad != nil {
		return n.AppendError(dst, bad)
	}
	var w walk
	w.write(n, dst)
	schema, problem := readSchema(text)
	if problem != nil {
		w.problem(problem)
		return w.End()
	}
	isTyped := typed != nil
	for i := range schema.Fields {
		f := &schema.Fields[i]
		if f.Name != name {
			continue
		}
		if isTyped {
			picked := f
			if alternative >= 0 && alternative < len(f.Alternatives) {
				picked = &f.Alternatives[alternative]
			}
			value, problem = picked.Parse(string(typed))
		}
		leftOut := isTyped && value == nil // nothing typed into an optional field
		if problem == nil && !leftOut {
			problem = f.Check(value)
		}
		if problem != nil {
			w.problem(problem)
			return w.End()
		}
		checked := string(value)
		w.Put("{")
		w.Text("value", may, &checked) // of an option, too, in what tells of a form
		w.Close()
		return w.End()
	}
	return n.AppendError(dst, &engine.Error{Code: fault.Order, Detail: "field: the schema has no field of this name"})
}

// readSchema reads a schema that comes from a host rather than through a flow.
func readSchema(text []byte) (form.Schema, *form.Problem) {
	if err := rawjson.Strict(text); err != nil && len(text) > 0 { // no schema is one that asks for nothing
		return form.Schema{}, &form.Problem{Message: sentence.Say("the schema is not strict JSON: {0}", err.Sentence()), Code: form.Malformed}
	}
	return form.Parse(text)
}

func (w *walk) problem(p *form.Problem) {
	w.Put(`{"problem":{`)
	w.Text("property", must, &p.Property)
	w.Int32("code", must, (*int32)(&p.Code))
	said(&w.Walk, "message", must, &p.Message)
	w.Put("}}")
}
