package wire_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/wire"
)

// Header fields that are like the last ones are the same, in memory of their own.
func TestLastHeaders(t *testing.T) {
	var last wire.LastHeaders
	for i, value := range []string{"a", "a", "b", "a", odd, odd, strings.Repeat("long", 1000), strings.Repeat("long", 1000), "a"} {
		want := []session.Action{
			session.Post{Exchange: i + 1, Headers: []session.Header{{Name: "Mcp-Method", Value: value}, {Name: "Accept", Value: "x"}}, Body: []byte("{}")},
			session.Post{Exchange: i + 9, Headers: []session.Header{{Name: "Mcp-Method", Value: value}, {Name: "Accept", Value: "x"}}, Body: []byte("{}")},
		}
		got, err := wire.Frame.DecodeNextActions(wire.Frame.AppendSessionActions(nil, want), &last)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d: got %v, %v", i, got, err)
			continue
		}
		got[0].(session.Post).Headers[0].Value = "changed"
		if value := got[1].(session.Post).Headers[0].Value; value == "changed" {
			t.Errorf("%d: header fields are shared", i)
		}
	}
}
