package display_test

import (
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/display"
)

func TestText(t *testing.T) {
	const png = `{"type":"image","data":"iVBORw0=","mimeType":"image/png"}`
	tests := map[string]struct{ result, want string }{
		"texts":        {`{"content":[{"type":"text","text":"a\nb\n"},{"type":"text","text":"c"}]}`, "a\nb\nc\n"},
		"same value":   {`{"content":[{"type":"text","text":"{\"b\":[1.50],\"a\":\"é\"}"}],"structuredContent":{"a":"\u00e9","b":[15e-1]}}`, "{\n  \"a\": \"\\u00e9\",\n  \"b\": [\n    15e-1\n  ]\n}\n"},
		"no base64":    {`{"contents":[{"uri":"x://y","mimeType":"a/b","blob":"AAA"}]}`, "[a/b, not base64]\n"},
		"structured":   {`{"content":[{"type":"text","text":"{\"a\":1.0}"}],"structuredContent":{"a": 1.0}}`, "{\n  \"a\": 1.0\n}\n"},
		"and a text":   {`{"content":[{"type":"text","text":"see below"}],"structuredContent":[1]}`, "see below\n[\n  1\n]\n"},
		"image":        {`{"content":[` + png + `]}`, "[image, image/png, 5 bytes]\n"},
		"link":         {`{"content":[{"type":"resource_link","uri":"x://y","name":"Y"}]}`, "[resource Y: x://y]\n"},
		"embedded":     {`{"content":[{"type":"resource","resource":{"uri":"x://y","text":"t"}}]}`, "x://y:\nt\n"},
		"new kind":     {`{"content":[{"type":"hologram"}]}`, "[content of type \"hologram\", to be seen as JSON only]\n"},
		"nothing":      {`{}`, ""},
		"prompt":       {`{"messages":[{"role":"user","content":{"type":"text","text":"hi"}},{"role":"assistant","content":` + png + `}]}`, "user:\nhi\nassistant:\n[image, image/png, 5 bytes]\n"},
		"resource":     {`{"contents":[{"uri":"x://y","text":"# T\n"}]}`, "# T\n"},
		"resources":    {`{"contents":[{"uri":"x://y","text":""},{"uri":"x://z","mimeType":"a/b","blob":"AAAA"}]}`, "x://y:\nx://z:\n[a/b, 3 bytes]\n"},
		"hostile text": {`{"content":[{"type":"text","text":"\u001b]0;pwned\u0007\u202e"}]}`, "␛]0;pwned␇<U+202E>\n"},
		"other names":  {`{"Content":[{"type":"text","text":"a"}],"content":[{"type":"text","Text":"b"}]}`, "[content of type \"text\", to be seen as JSON only]\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := display.Read("tools/call", []byte(tt.result))
			if got := r.Text(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestIsError(t *testing.T) {
	for text, want := range map[string]bool{
		`{"content":[],"isError":true}`: true, `{"contents":[],"isError":true}`: true, `{"content":[]}`: false, `{"isError":"true"}`: false, `{"IsError":true}`: false,
	} {
		if got := display.Read("tools/call", []byte(text)).IsError; got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

func TestJSON(t *testing.T) {
	if got, want := display.JSON([]byte("{\"a\u202e\":1.0}")), "{\n  \"a\\u202e\": 1.0\n}"; got != want {
		t.Errorf("JSON: got %q, want %q", got, want)
	}
}

// What a result lacks depends on what was called. hosts/testdata/results has the rules.
func TestLacks(t *testing.T) {
	const run = ", though the tool has run"
	tests := map[string]struct{ method, result, want string }{
		"a tool":       {"tools/call", `{"content":[]}`, ""},
		"structured":   {"tools/call", `{"structuredContent":{}}`, ""},
		"no content":   {"tools/call", `{"toolResult":1}`, "the result has no list of content" + run},
		"no text":      {"tools/call", `{"content":[{"type":"text"}]}`, "content[0].text is not a string" + run},
		"no block":     {"tools/call", `{"content":["a"]}`, "content[0] is not an object" + run},
		"no flag":      {"tools/call", `{"isError":"true","content":[]}`, "isError is not a boolean" + run},
		"other names":  {"tools/call", `{"Content":[{"type":"text","text":"a"}],"content":[{"type":"text","Text":"b"}]}`, "content[0].text is not a string" + run},
		"no role":      {"prompts/get", `{"messages":[{"role":7}]}`, "messages[0].role is not a string"},
		"no object":    {"tools/call", `null`, "the result is not an object" + run},
		"a prompt":     {"prompts/get", `{"messages":[]}`, ""},
		"no messages":  {"prompts/get", `{"content":[]}`, "the result has no list of messages"},
		"a resource":   {"resources/read", `{"contents":[]}`, ""},
		"no base64":    {"resources/read", `{"contents":[{"uri":"x:y","blob":"?"}]}`, "contents[0].blob is not base64"},
		"another call": {"x/do", `{}`, ""},
	}
	for name, tt := range tests {
		if got := display.Read(tt.method, []byte(tt.result)).Lacks; got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
