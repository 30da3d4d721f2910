package display

import (
	"bytes"

	"github.com/parley-mcp/parley/rawjson"
)

const (
	deepest = 64      // nested containers of values that are compared
	effort  = 1 << 30 // bytes that are looked at to compare what a result has
)

// comparison compares JSON values as the canonical form of a codec does: neither
// the order of members, nor white space, nor how a string or a number is spelled
// makes a difference, and 1.0 is 1; no number is rounded. What has a member twice
// is the same as nothing.
type comparison struct {
	left int // bytes that are still looked at; beyond them nothing is the same
}

func (c *comparison) same(a, b []byte, depth int) bool {
	c.left -= len(a) + len(b)
	if c.left < 0 || depth < 0 {
		return false
	}
	switch {
	case rawjson.IsObject(a) && rawjson.IsObject(b):
		return c.sameMembers(a, b, depth)
	case rawjson.IsArray(a) && rawjson.IsArray(b):
		var x, y rawjson.Elements
		x.Start(a)
		y.Start(b)
		for x.Next() {
			if !y.Next() || !c.same(x.Value, y.Value, depth-1) {
				return false
			}
		}
		return !y.Next() && x.Err == nil && y.Err == nil
	case rawjson.IsString(a) && rawjson.IsString(b):
		s, whole := rawjson.Unquote(a)
		t, also := rawjson.Unquote(b)
		return whole && also && s == t || bytes.Equal(a, b)
	case rawjson.IsNumber(a) && rawjson.IsNumber(b):
		return sameNumber(string(a), string(b))
	}
	return bytes.Equal(a, b)
}

func (c *comparison) sameMembers(a, b []byte, depth int) bool {
	var in rawjson.Members
	members := map[string][]byte{}
	for in.Start(a); in.Next(); {
		name, ok := rawjson.Unquote(in.Name)
		if _, twice := members[name]; twice || !ok {
			return false
		}
		members[name] = in.Value
	}
	if in.Err != nil {
		return false
	}
	for in.Start(b); in.Next(); {
		name, _ := rawjson.Unquote(in.Name)
		value, has := members[name]
		if !has || !c.same(value, in.Value, depth-1) {
			return false
		}
		delete(members, name)
	}
	return len(members) == 0 && in.Err == nil
}

func sameNumber(a, b string) bool {
	_, ok := rawjson.ParseDecimal(a)
	_, also := rawjson.ParseDecimal(b)
	return ok && also && rawjson.Compare(a, b) == 0 || a == b
}
