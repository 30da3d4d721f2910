package rawjson_test

import (
	"fmt"

	"github.com/parley-mcp/parley/rawjson"
)

func ExampleMembers() {
	text := []byte(`{"id": 9007199254740993, "result": {"content": [ ]}}`)
	var m rawjson.Members
	for m.Start(text); m.Next(); {
		fmt.Printf("%s is %s\n", m.Name, m.Value) // as it came in
	}
	if m.Err != nil {
		fmt.Println(m.Err)
	}
	// Output:
	// "id" is 9007199254740993
	// "result" is {"content": [ ]}
}

func ExampleElements() {
	var e rawjson.Elements
	for e.Start([]byte(`[1, "two", {"three": 3]`)); e.Next(); {
		fmt.Printf("%s\n", e.Value)
	}
	fmt.Println(e.Err)
	// Output:
	// 1
	// "two"
	// expected a comma or } after an object member at byte 22
}

func ExampleStrict() {
	twice := []byte(`{"admin": false, "admin": true}`)
	fmt.Println(rawjson.Valid(twice), rawjson.Strict(twice))
	// Output: true duplicate member name at byte 17
}

func ExampleUnquote() {
	text, ok := rawjson.Unquote([]byte(`"a \u20ac"`))
	fmt.Println(text, ok)
	_, ok = rawjson.Unquote([]byte(`"\ud800"`)) // half a character
	fmt.Println(ok)
	fmt.Println(rawjson.Is([]byte(`"a\u002fb"`), "a/b"))
	// Output:
	// a € true
	// false
	// true
}

func ExampleCompare() {
	fmt.Println(rawjson.Compare("9007199254740993", "9007199254740992"), rawjson.Compare("1e3", "1000.0"))
	// Output: 1 0
}
