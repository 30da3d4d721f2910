package question

import (
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine/form"
)

// Skeleton is what an answer looks like, for somebody who has to write one:
// {"id": <integer>, "note": <text, optional>}.
func (q Question) Skeleton() string {
	var parts []string
	for i := range q.Fields {
		f := &q.Fields[i]
		if f.ReadOnly {
			continue
		}
		wanted := wants(f)
		if f.Nullable {
			wanted += " or null"
		}
		if !f.Required {
			wanted += ", optional"
		}
		parts = append(parts, fmt.Sprintf("%s: <%s>", jsontext.Quote(f.Name), wanted))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// wants says in a word or two what JSON goes into a field.
func wants(f *form.Field) string {
	switch f.Kind {
	case form.String:
		if f.Format != "" {
			return string(f.Format)
		}
		return "text"
	case form.Integer:
		return "integer"
	case form.Number:
		return "number"
	case form.Boolean:
		return "true or false"
	case form.Choices:
		return "list of " + values(f, ", ")
	case form.List:
		return "list of " + wants(f.Items)
	case form.Union:
		var types []string
		for i := range f.Alternatives {
			types = append(types, wants(&f.Alternatives[i]))
		}
		return strings.Join(types, " or ")
	}
	return values(f, " or ")
}

// values are those of a field's options.
func values(f *form.Field, between string) string {
	var all []string
	for _, o := range f.Options {
		all = append(all, o.Value)
	}
	return strings.Join(all, between)
}
