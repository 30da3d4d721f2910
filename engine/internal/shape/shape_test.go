package shape_test

import (
	"testing"

	"github.com/parley-mcp/parley/engine/internal/shape"
	"github.com/parley-mcp/parley/rawjson"
)

const types = `Tree name:string size?:number data?:object color?:"red"|"green" only?:"one" leaves?:string[] trees?:Tree[] leaf?:Leaf* next?:Tree
Leaf |kind oak|elm
oak acorns:number
elm seeds:number`

func TestCheck(t *testing.T) {
	tests := map[string]struct{ value, want string }{
		"least":              {`{"name":""}`, ""},
		"white space":        {"{ \"name\" :\n\"\" }", ""},
		"escaped name":       {`{"\u006eame":""}`, ""},
		"all":                {`{"name":"","size":-1.5e3,"data":{},"color":"green","only":"one","leaves":["a",""],"trees":[],"leaf":[],"next":{"name":""}}`, ""},
		"unknown member":     {`{"name":"","other":null}`, ""},
		"escaped literal":    {`{"name":"","color":"\u0072ed"}`, ""},
		"one or an array":    {`{"name":"","leaf":{"kind":"oak","acorns":1}}`, ""},
		"an array of it":     {`{"name":"","leaf":[{"kind":"oak","acorns":1},{"seeds":2,"kind":"elm"}]}`, ""},
		"not an object":      {`[]`, "is not an object"},
		"null":               {`null`, "is not an object"},
		"member missing":     {`{"size":1}`, "name is missing"},
		"other letter case":  {`{"Name":""}`, "name is missing"},
		"member null":        {`{"name":null}`, "name is not of type string"},
		"optional null":      {`{"name":"","size":null}`, "size is not of type number"},
		"number as string":   {`{"name":"","size":"1"}`, "size is not of type number"},
		"string as number":   {`{"name":1}`, "name is not of type string"},
		"array as object":    {`{"name":"","data":[]}`, "data is not of type object"},
		"object as array":    {`{"name":"","leaves":{}}`, "leaves is not an array"},
		"boolean":            {`{"name":true}`, "name is not of type string"},
		"other literal":      {`{"name":"","color":"blue"}`, `color is not of type "red"|"green"`},
		"part of a literal":  {`{"name":"","color":"re"}`, `color is not of type "red"|"green"`},
		"two literals":       {`{"name":"","color":"red\"|\"green"}`, `color is not of type "red"|"green"`},
		"literal as number":  {`{"name":"","color":1}`, `color is not of type "red"|"green"`},
		"only literal":       {`{"name":"","only":"two"}`, `only is not of type "one"`},
		"element":            {`{"name":"","leaves":["",1]}`, "leaves[1] is not of type string"},
		"element's member":   {`{"name":"","trees":[{"name":""},{}]}`, "trees[1].name is missing"},
		"member's member":    {`{"name":"","next":{"name":"","next":{"name":0}}}`, "next.next.name is not of type string"},
		"no kind":            {`{"name":"","leaf":{}}`, "leaf.kind is not one of oak|elm"},
		"other kind":         {`{"name":"","leaf":{"kind":"oak|elm"}}`, "leaf.kind is not one of oak|elm"},
		"kind of a number":   {`{"name":"","leaf":{"kind":1}}`, "leaf.kind is not one of oak|elm"},
		"member of its kind": {`{"name":"","leaf":[{"kind":"oak","acorns":1},{"kind":"elm","acorns":1}]}`, "leaf[1].seeds is missing"},
		"neither form":       {`{"name":"","leaf":"oak"}`, "leaf is not an object"},
		"in the order of the type, not of the text": {`{"size":"","name":1}`, "name is not of type string"},
	}
	s := shape.Schema{Types: types, Rule: func(string, []byte) (none shape.Fault) { return none }}
	nullable := s
	nullable.Null = true
	for value, want := range map[string]string{`{"name":"","size":null,"leaf":null,"trees":null}`: "", `{"name":null}`: "name is not of type string"} {
		if got := nullable.Check([]byte(value), "Tree").String(); got != want {
			t.Errorf("Check(%s) where null is as absent: got %q, want %q", value, got, want)
		}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if err := rawjson.Strict([]byte(tt.value)); err != nil {
				t.Fatal(err)
			}
			if got := s.Check([]byte(tt.value), "Tree").String(); got != tt.want {
				t.Errorf("Check(%s): got %q, want %q", tt.value, got, tt.want)
			}
		})
	}
}

func TestRuleSeesInnerValuesFirst(t *testing.T) {
	var got []string
	s := shape.Schema{Types: types, Rule: func(name string, span []byte) (none shape.Fault) {
		got = append(got, name+" "+string(span))
		return none
	}}
	if fault := s.Check([]byte(`{"leaf":{"kind":"oak","acorns":1},"name":""}`), "Tree"); fault != "" {
		t.Fatal(fault)
	}
	want := []string{`oak {"kind":"oak","acorns":1}`, `Leaf {"kind":"oak","acorns":1}`, `Tree {"leaf":{"kind":"oak","acorns":1},"name":""}`}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRuleFaultsHaveAPath(t *testing.T) {
	for fault, want := range map[shape.Fault]string{
		{What: "{0} is old"}:                  "trees[0].leaf[0] is old",
		{Path: ".acorns", What: "{0} is odd"}: "trees[0].leaf[0].acorns is odd",
		{What: "{0} is no {1}", Of: "oak"}:    "trees[0].leaf[0] is no oak",
	} {
		s := shape.Schema{Types: types, Rule: func(name string, _ []byte) (none shape.Fault) {
			if name == "oak" {
				return fault
			}
			return none
		}}
		if got := s.Check([]byte(`{"name":"","trees":[{"name":"","leaf":[{"kind":"oak","acorns":1}]}]}`), "Tree").String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRuleDoesNotSeeWhatHasNotItsShape(t *testing.T) {
	s := shape.Schema{Types: types, Rule: func(name string, _ []byte) (none shape.Fault) {
		t.Errorf("rule was called for %s", name)
		return none
	}}
	s.Check([]byte(`{"name":"","leaf":{"kind":"oak"}}`), "Tree")
}

func TestGet(t *testing.T) {
	tests := map[string]struct{ object, want string }{
		"first":      {`{"a":1,"b":2}`, "1"},
		"escaped":    {`{"b":2,"\u0061":[ 1 ]}`, "[ 1 ]"},
		"other case": {`{"A":1}`, ""},
		"none":       {`{}`, ""},
		"no object":  {`[1]`, ""},
		"no JSON":    {`{"a`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := rawjson.Member([]byte(tt.object), "a")
			if string(got) != tt.want || (got == nil) != (tt.want == "") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{``, `{`, `{"name":"","leaf":[{"kind":"oak","acorns":1}]}`, `{"name":"","next":{"name":"","leaf":{"kind":"elm"`, `{"leaves":[`} {
		f.Add([]byte(seed))
	}
	s := shape.Schema{Types: types, Rule: func(string, []byte) (none shape.Fault) { return none }}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := s.Check(data, "Tree") // never panics, whatever it is given
		if got == "" && rawjson.Strict(data) == nil && !rawjson.IsString(rawjson.Member(data, "name")) {
			t.Fatalf("Check(%q) accepted a tree without a name", data)
		}
	})
}
