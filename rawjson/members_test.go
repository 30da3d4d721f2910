package rawjson_test

import (
	"testing"

	"github.com/parley-mcp/parley/rawjson"
)

func TestLists(t *testing.T) {
	for _, c := range []struct {
		array, text string
		want        bool
	}{
		{`["a","b"]`, "b", true}, {`[ "\u0062" ]`, "b", true}, {`[1,null,["b"],"b"]`, "b", true}, {`[""]`, "", true},
		{`["ab"]`, "b", false}, {`["b",`, "b", true}, {`[]`, "", false}, {`"b"`, "b", false}, {`{"b":"b"}`, "b", false}, {``, "", false},
	} {
		if got := rawjson.Lists([]byte(c.array), c.text); got != c.want {
			t.Errorf("Lists(%s, %q): got %t", c.array, c.text, got)
		}
	}
}
