package form_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

func TestFindSecret(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 50000) + `{"format":"password"}` + strings.Repeat("}", 50000)
	for schema, want := range map[string]bool{
		`{"properties":{"a":{"properties":{"b":{"type":"string", "format" : "password"}}}}}`: true,
		`{"items":[{"writeOnly":true}]}`:                     true,
		`{"\u0066ormat":"pass\u0077ord"}`:                    true,
		deep:                                                 true,
		`{"writeOnly":false,"x":true}`:                       false,
		`{"format":"email","title":"password"}`:              false,
		`{"enum":["format","password"],"title":"writeOnly"}`: false,
		`{"x":"writeOnly","y":true}`:                         false,
		`{"format":{"x":"password"}}`:                        false,
		``:                                                   false,
		`{"a":"`:                                             false,
	} {
		if got := form.FindSecret([]byte(schema)) != nil; got != want {
			t.Errorf("%.60s: got %v, want %v", schema, got, want)
		}
	}
}
