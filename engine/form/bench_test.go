package form_test

import (
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

const sixFields = `{"type":"object","properties":{
	"name":{"type":"string","title":"Your name","minLength":1,"maxLength":80},
	"email":{"type":"string","format":"email","description":"Where the receipt goes"},
	"seats":{"type":"integer","minimum":1,"maximum":8,"default":2},
	"window":{"type":"boolean","default":false},
	"class":{"type":"string","oneOf":[{"const":"y","title":"Economy"},{"const":"c","title":"Business"}],"default":"y"},
	"meals":{"type":"array","items":{"type":"string","enum":["fish","meat","none"]},"minItems":1,"maxItems":2}},
	"required":["name","email","seats"]}`

const sixAnswers = `{"name":"Mona Lisa","email":"mona@example.com","seats":2,"window":true,"class":"c","meals":["fish"]}`

func TestAllocations(t *testing.T) {
	text, content := []byte(sixFields), []byte(sixAnswers)
	allocations := testing.AllocsPerRun(10, func() {
		schema, _ := form.Parse(text)
		schema.Check(content)
	})
	if allocations > 30 {
		t.Errorf("Parse and Check of six fields: %v allocations, want 30 at most", allocations)
	}
}

func BenchmarkParse(b *testing.B) {
	schema := []byte(sixFields)
	b.ReportAllocs()
	for b.Loop() {
		form.Parse(schema)
	}
}

func BenchmarkCheck(b *testing.B) {
	schema, _ := form.Parse([]byte(sixFields))
	content := []byte(sixAnswers)
	b.ReportAllocs()
	for b.Loop() {
		schema.Check(content)
	}
}

func BenchmarkParseAndCheck(b *testing.B) {
	text, content := []byte(sixFields), []byte(sixAnswers)
	b.ReportAllocs()
	for b.Loop() {
		schema, p := form.Parse(text)
		if p != nil {
			b.Fatal(p)
		}
		if problems := schema.Check(content); problems != nil {
			b.Fatal(problems)
		}
	}
}
