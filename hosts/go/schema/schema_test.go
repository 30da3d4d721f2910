package schema_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/schema"
)

func TestCallToolResult(t *testing.T) {
	const text = `{"resultType":"complete","content":[
		{"type":"text","text":"Hi","annotations":{"audience":["user"],"priority":1}},
		{"type":"image","data":"AQI=","mimeType":"image/png"},
		{"type":"resource_link","uri":"file:///a","name":"a","size":3},
		{"type":"resource","resource":{"uri":"file:///b","blob":"AQ==","mimeType":"x/y"}},
		{"type":"hologram","depth":3}],"structuredContent":{"n":1.0},"isError":true,"_meta":{"x":1},"later":[1]}`
	var got schema.CallToolResult
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if string(got.Raw) != text || string(got.StructuredContent) != `{"n":1.0}` || !got.IsError || string(got.Meta) != `{"x":1}` || len(got.Content) != 5 {
		t.Errorf("got %+v", got)
	}
	c := got.Content
	if c[0].Text != "Hi" || !reflect.DeepEqual(c[0].Annotations, &schema.Annotations{Audience: []string{"user"}, Priority: 1}) {
		t.Errorf("text: got %+v", c[0])
	}
	if string(c[1].Data) != "\x01\x02" || c[1].MIMEType != "image/png" {
		t.Errorf("image: got %+v", c[1])
	}
	if c[2].URI != "file:///a" || c[2].Name != "a" || *c[2].Size != 3 {
		t.Errorf("link: got %+v", c[2])
	}
	if r := c[3].Resource; r.URI != "file:///b" || string(r.Blob) != "\x01" || r.MIMEType != "x/y" {
		t.Errorf("resource: got %+v", r)
	}
	if c[4].Type != "hologram" || string(c[4].Raw) != `{"type":"hologram","depth":3}` {
		t.Errorf("unknown: got %+v", c[4])
	}
}

func TestGetPromptResult(t *testing.T) {
	var got schema.GetPromptResult
	if err := json.Unmarshal([]byte(`{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]}`), &got); err != nil {
		t.Fatal(err)
	}
	if got.Description != "d" || len(got.Messages) != 1 || got.Messages[0].Role != "user" || got.Messages[0].Content.Text != "Hi" {
		t.Errorf("got %+v", got)
	}
}

func TestReadResourceResult(t *testing.T) {
	var got schema.ReadResourceResult
	if err := json.Unmarshal([]byte(`{"contents":[{"uri":"file:///a","text":"Hi"}],"ttlMs":5,"cacheScope":"private"}`), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Contents) != 1 || got.Contents[0].URI != "file:///a" || got.Contents[0].Text != "Hi" || got.TTLMs != 5 || got.CacheScope != "private" {
		t.Errorf("got %+v", got)
	}
}

// What a host cannot do without is there or refused, by its place.
func TestRefused(t *testing.T) {
	tests := map[string]struct {
		into  json.Unmarshaler
		text  string
		path  string
		limit bool
	}{
		"no object":         {new(schema.CallToolResult), `[]`, "the result", false},
		"content":           {new(schema.CallToolResult), `{"content":"Hi"}`, "the result", false},
		"no content":        {new(schema.CallToolResult), `{"content":null,"structuredContent":null}`, "the result", false},
		"no text":           {new(schema.CallToolResult), `{"content":[{"type":"text","text":null}]}`, "content[0].text", false},
		"no data":           {new(schema.CallToolResult), `{"content":[{"type":"image","data":"no base64!"}]}`, "content[0].data", false},
		"no messages":       {new(schema.GetPromptResult), `{}`, "the result", false},
		"no contents":       {new(schema.ReadResourceResult), `{"contents":{}}`, "the result", false},
		"a piece":           {new(schema.CallToolResult), `{"content":[null]}`, "content[0]", false},
		"a piece's type":    {new(schema.CallToolResult), `{"content":[{"text":"Hi"}]}`, "content[0].type", false},
		"isError twice":     {new(schema.CallToolResult), `{"content":1,"isError":0,"isError":true}`, "isError", false},
		"isError":           {new(schema.CallToolResult), `{"content":[],"isError":"true"}`, "isError", false},
		"too many pieces":   {new(schema.CallToolResult), `{"content":[` + strings.Repeat("1,", schema.MaxEntries) + `1]}`, "content", true},
		"a message":         {new(schema.GetPromptResult), `{"messages":[{"role":"user"}]}`, "messages[0].content", false},
		"a message's parts": {new(schema.GetPromptResult), `{"messages":[{"role":"user","content":[]}]}`, "messages[0].content", false},
		"a role":            {new(schema.GetPromptResult), `{"messages":[{"role":1,"content":{"type":"text"}}]}`, "messages[0].role", false},
		"a resource's uri":  {new(schema.ReadResourceResult), `{"contents":[{"text":""}]}`, "contents[0].uri", false},
		"no JSON":           {new(schema.CallToolResult), `{"content":`, "the result", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var fault *schema.Error
			err := tt.into.UnmarshalJSON([]byte(tt.text))
			if !errors.As(err, &fault) || fault.Path != tt.path || fault.Limit != tt.limit {
				t.Errorf("got %v, want a fault of %s", err, tt.path)
			}
		})
	}
}

// Of two members of one name the last counts, only the failure of a tool is never lost.
// A member of another type is left out, with all of a list but its usable entries.
func TestLiberal(t *testing.T) {
	tests := map[string]struct {
		into, want json.Unmarshaler
		text       string
	}{
		"twice": {new(schema.GetPromptResult), &schema.GetPromptResult{Description: "b"},
			`{"description":"a","description":"b","messages":1,"messages":[]}`},
		"failed, then null": {new(schema.CallToolResult), &schema.CallToolResult{IsError: true},
			`{"content":[],"isError":true,"isError":null}`},
		"other types": {new(schema.ListResourcesResult), &schema.ListResourcesResult{Resources: []*schema.Resource{
			{URI: "a", Name: "b", Icons: []schema.Icon{{Source: "i"}}}}},
			`{"resources":[{"uri":"a","name":"b","title":1,"size":"1","annotations":[],"icons":[1,{"src":"i","sizes":3},{}],"_meta":0}]}`},
		"not Unicode": {new(schema.CallToolResult), &schema.CallToolResult{Content: []schema.Content{
			{Type: "resource", Resource: &schema.ResourceContents{URI: "\ufffd", Text: "\ufffd"}}}},
			`{"content":[{"type":"resource","resource":{"uri":"\ud800","text":"\ud800"}}]}`},
		"numbers": {new(schema.ReadResourceResult), new(schema.ReadResourceResult),
			`{"contents":[],"ttlMs":9223372036854775808}`},
		"no list": {new(schema.ListToolsResult), new(schema.ListToolsResult), `{"tools":null}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if err := tt.into.UnmarshalJSON([]byte(tt.text)); err != nil {
				t.Fatal(err)
			}
			got, _ := json.Marshal(tt.into)
			want, _ := json.Marshal(tt.want)
			if string(got) != string(want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// What is read keeps nothing of the caller's memory.
func TestKeepsNothing(t *testing.T) {
	text := []byte(`{"content":[{"type":"text","text":"Hi"}]}`)
	var got schema.CallToolResult
	if err := got.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	clear(text)
	if string(got.Content[0].Raw) != `{"type":"text","text":"Hi"}` {
		t.Errorf("got %s", got.Content[0].Raw)
	}
}

// Whatever a server sends is read or refused, and what was read can be read
// again from Raw.
func FuzzResults(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"image","data":"AQI=","icons":[{"src":"x"}],"resource":{"uri":"y"}}],"isError":false}`))
	f.Add([]byte(`{"tools":[{"name":"a","annotations":{"openWorldHint":true}}],"nextCursor":"c"}`))
	f.Add([]byte(`{"messages":[{"role":"user","content":{"type":"text","text":"\ud800"}}],"contents":[{"uri":"a","blob":"!"}]}`))
	f.Add([]byte(`{"prompts":[{"name":"a","arguments":[{"name":"b","required":true}]}],"resources":[{"uri":"a","name":"b","size":-1}],"resourceTemplates":[{"uriTemplate":"a","name":"b"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, fresh := range []func() json.Unmarshaler{
			func() json.Unmarshaler { return new(schema.CallToolResult) },
			func() json.Unmarshaler { return new(schema.GetPromptResult) },
			func() json.Unmarshaler { return new(schema.ReadResourceResult) },
			func() json.Unmarshaler { return new(schema.ListToolsResult) },
			func() json.Unmarshaler { return new(schema.ListPromptsResult) },
			func() json.Unmarshaler { return new(schema.ListResourcesResult) },
			func() json.Unmarshaler { return new(schema.ListResourceTemplatesResult) },
		} {
			first, again := fresh(), fresh()
			if first.UnmarshalJSON(text) != nil {
				continue
			}
			raw := reflect.ValueOf(first).Elem().FieldByName("Raw").Bytes()
			if err := again.UnmarshalJSON(raw); err != nil || !reflect.DeepEqual(first, again) {
				t.Errorf("%T: from Raw: got %+v, %v, want %+v", first, again, err, first)
			}
		}
	})
}
