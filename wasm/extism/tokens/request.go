package tokens

import (
	"encoding/base64"
	"slices"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/rawjson"
)

// request is the members of a call. The first fault sticks.
type request struct {
	export string
	names  []string
	values [][]byte // beside names; nil where absent
	config Config
	fault  string
	err    error // in place of fault, where the codec said what is wrong
}

// read reads an object that may have the members named.
func read(export string, data []byte, config Config, names ...string) *request {
	r := &request{export: export, names: names, values: make([][]byte, len(names)), config: config}
	var m rawjson.Members
	for m.Start(data); m.Next(); {
		at := slices.IndexFunc(names, m.Is)
		switch {
		case at < 0:
			r.refuse("member " + string(m.Name) + " is not known here")
		case r.values[at] != nil:
			r.refuse("member " + string(m.Name) + " comes twice")
		default:
			r.values[at] = m.Value
		}
	}
	if m.Err != nil {
		r.refuse(m.Err.Error())
	}
	return r
}

func (r *request) refuse(fault string) {
	if r.fault == "" {
		r.fault = r.export + ": " + fault
	}
}

func (r *request) failed() []byte {
	if r.err != nil {
		return failure(r.err)
	}
	return failure(&codec.Error{Code: refusal.Options, Minting: true, Detail: r.fault})
}

func (r *request) value(name string) []byte { return r.values[slices.Index(r.names, name)] }

func (r *request) has(name string) bool { return r.value(name) != nil }

// optional is a string, if it is there.
func (r *request) optional(name string) (text []byte, ok bool) {
	v := r.value(name)
	if v == nil {
		return nil, false
	}
	if rawjson.IsString(v) {
		if text, ok = rawjson.AppendUnquoted(make([]byte, 0, len(v)), v); ok {
			return text, true
		}
	}
	r.refuse(name + " is not a string")
	return nil, true
}

// text is a string that must be there.
func (r *request) text(name, missing string) []byte {
	text, ok := r.optional(name)
	if !ok {
		r.refuse(missing)
	}
	return text
}

// binary is at least least bytes in base64url.
func (r *request) binary(name, missing string, least int) []byte {
	text := r.text(name, missing)
	data, err := base64.RawURLEncoding.AppendDecode(nil, text)
	if err != nil {
		r.refuse(name + " is not base64url without padding")
	} else if len(data) < least {
		r.refuse(missing)
	}
	return data
}

// integer is 0 where it is not there and need not be.
func (r *request) integer(name, missing string) int64 {
	v := r.value(name)
	if v == nil {
		if missing != "" {
			r.refuse(missing)
		}
		return 0
	}
	const most = 1<<53 - 1
	n, ok := rawjson.Int(v)
	if !ok || n < 0 || n > most || missing == "" && n > 1<<31-1 {
		r.refuse(name + " is not an integer in its range")
		return 0
	}
	return n
}

func (r *request) flag(name string) bool {
	switch string(r.value(name)) {
	case "true":
		return true
	case "false", "":
	default:
		r.refuse(name + " is neither true nor false")
	}
	return false
}

func (r *request) texts(name string) (texts []string) {
	v := r.value(name)
	if v == nil {
		return nil
	}
	if !rawjson.IsArray(v) {
		r.refuse(name + " is not an array of strings")
		return nil
	}
	var e rawjson.Elements
	for e.Start(v); e.Next(); {
		text, ok := rawjson.Unquote(e.Value)
		if !ok {
			r.refuse(name + " is not an array of strings")
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}
