package form_test

import (
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

func TestParseTyped(t *testing.T) {
	colors := `{"type":"string","oneOf":[{"const":"#f00","title":"Red"},{"const":"#0f0","title":"Green"},{"const":"Blue","title":"Navy"},{"const":"Sky","title":"Blue"}]}`
	several := `{"type":"array","items":{"anyOf":[{"const":"#f00","title":"Red"},{"const":"#0f0","title":"Light Green"}]}}`
	tests := map[string]struct {
		property string
		typed    string
		want     string // the value; "" is none
		code     form.Code
	}{
		"text":                              {`{"type":"string"}`, "abc", `"abc"`, 0},
		"text keeps its spaces":             {`{"type":"string"}`, " a\t", `" a\t"`, 0},
		"text of spaces":                    {`{"type":"string"}`, " ", `" "`, 0},
		"text is quoted":                    {`{"type":"string"}`, "\"\\\n\x00é", `"\"\\\n\u0000é"`, 0},
		"text not UTF-8":                    {`{"type":"string"}`, "\xff", ``, form.NotText},
		"text too short":                    {`{"type":"string","minLength":2}`, "a", ``, form.TooShort},
		"email without its spaces":          {`{"type":"string","format":"email"}`, " a@b\n", `"a@b"`, 0},
		"no email":                          {`{"type":"string","format":"email"}`, "a", ``, form.BadFormat},
		"number":                            {`{"type":"number"}`, "1.50", `1.50`, 0},
		"number with spaces":                {`{"type":"number"}`, "\t-1e5 ", `-1e5`, 0},
		"number with plus":                  {`{"type":"number"}`, "+1", ``, form.WrongKind},
		"number with comma":                 {`{"type":"number"}`, "1,5", ``, form.WrongKind},
		"number with zeros":                 {`{"type":"number"}`, "007", ``, form.WrongKind},
		"number without zero":               {`{"type":"number"}`, ".5", ``, form.WrongKind},
		"number in words":                   {`{"type":"number"}`, "true", ``, form.WrongKind},
		"number in quotes":                  {`{"type":"number"}`, `"1"`, ``, form.WrongKind},
		"infinity":                          {`{"type":"number"}`, "Infinity", ``, form.WrongKind},
		"hexadecimal":                       {`{"type":"number"}`, "0x10", ``, form.WrongKind},
		"two numbers":                       {`{"type":"number"}`, "1 2", ``, form.WrongKind},
		"number too small":                  {`{"type":"number","minimum":2}`, "1", ``, form.TooSmall},
		"integer":                           {`{"type":"integer"}`, " -42 ", `-42`, 0},
		"integer with a point":              {`{"type":"integer"}`, "1.0", ``, form.WrongKind},
		"integer with an exponent":          {`{"type":"integer"}`, "1e3", ``, form.WrongKind},
		"default as it was":                 {`{"type":"integer","default":1e3}`, "1e3", `1e3`, 0},
		"yes":                               {`{"type":"boolean"}`, "Yes", `true`, 0},
		"y":                                 {`{"type":"boolean"}`, " y ", `true`, 0},
		"TRUE":                              {`{"type":"boolean"}`, "TRUE", `true`, 0},
		"no":                                {`{"type":"boolean"}`, "no", `false`, 0},
		"N":                                 {`{"type":"boolean"}`, "N", `false`, 0},
		"false":                             {`{"type":"boolean"}`, "false", `false`, 0},
		"perhaps":                           {`{"type":"boolean"}`, "perhaps", ``, form.WrongKind},
		"yesterday":                         {`{"type":"boolean"}`, "yesterday", ``, form.WrongKind},
		"one":                               {`{"type":"boolean"}`, "1", ``, form.WrongKind},
		"choice by value":                   {colors, "#0f0", `"#0f0"`, 0},
		"choice by title":                   {colors, " Green ", `"#0f0"`, 0},
		"choice in other case":              {colors, "green", ``, form.NoChoice},
		"value of one and title of another": {colors, "Blue", ``, form.NoChoice},
		"title of one and value of another": {`{"type":"string","oneOf":[{"const":"a","title":"x"},{"const":"x","title":"b"}]}`, "x", ``, form.NoChoice},
		"choices":                           {several, "Red, #0f0", `["#f00","#0f0"]`, 0},
		"choices on lines":                  {several, "Light Green\r\nRed\n", `["#0f0","#f00"]`, 0},
		"one of choices":                    {several, "Red", `["#f00"]`, 0},
		"choices that are none":             {several, "Red,Pink", ``, form.NoChoice},
		"nothing between commas":            {several, "Red,,#0f0", ``, form.NoChoice},
		"choices chosen twice":              {several, "Red,#f00", ``, form.ChosenTwice},

		// What SDKs ask for besides.
		"list":                       {`{"type":"array","items":{"type":"string"}}`, "a, b\r\n c\n\n", `["a, b"," c"]`, 0},
		"list of numbers":            {`{"type":"array","items":{"type":"integer","minimum":2}}`, " 2\n3 ", `[2,3]`, 0},
		"list with a bad number":     {`{"type":"array","items":{"type":"integer","minimum":2}}`, "2\n1", ``, form.TooSmall},
		"list with a word":           {`{"type":"array","items":{"type":"integer"}}`, "2\nx", ``, form.BadValue},
		"list with a value twice":    {`{"type":"array","uniqueItems":true,"items":{"type":"number"}}`, "1\n1.0", ``, form.Repetition},
		"list too long":              {`{"type":"array","maxItems":1,"items":{"type":"number"}}`, "1\n2", ``, form.TooMany},
		"number by value":            {`{"enum":[1,2.50,"1"]}`, "2.50", `2.50`, 0},
		"number beside its text":     {`{"enum":[1,"1"]}`, "1", `1`, 0},
		"text beside its number":     {`{"enum":[1,"1"]}`, `"1"`, `"1"`, 0},
		"yes for a choice":           {`{"type":"boolean","const":true}`, "yes", `true`, 0},
		"no for a choice of yes":     {`{"type":"boolean","const":true}`, "no", ``, form.NoChoice},
		"above":                      {`{"type":"number","exclusiveMinimum":0}`, "0.0", ``, form.NotAbove},
		"below":                      {`{"type":"number","maximum":5,"exclusiveMaximum":true}`, "5", ``, form.NotBelow},
		"multiple":                   {`{"type":"number","multipleOf":0.1}`, "0.3", `0.3`, 0},
		"no multiple":                {`{"type":"integer","multipleOf":5}`, "11", ``, form.NotMultiple},
		"more digits than divisible": {`{"type":"number","multipleOf":5}`, "1e70", ``, form.BadExponent},
		"a type is never guessed":    {`{"type":["integer","string"]}`, "007", ``, form.WrongKind},

		// No text is no answer.
		"no text":             {`{"type":"string"}`, "", ``, 0},
		"no email typed":      {`{"type":"string","format":"email"}`, " ", ``, 0},
		"no number":           {`{"type":"number"}`, " ", ``, 0},
		"no boolean":          {`{"type":"boolean"}`, "", ``, 0},
		"no choice":           {colors, "", ``, 0},
		"no choices":          {several, "", ``, 0},
		"text too short none": {`{"type":"string","minLength":1}`, "", ``, 0},
		// A default that is taken out must not come back where null or no choices say so.
		"null for a default":   {`{"type":["string","null"],"default":"x"}`, "", `null`, 0},
		"null without one":     {`{"type":["string","null"]}`, "", ``, 0},
		"list taken out":       {`{"type":"array","items":{"type":"string"},"default":["a"]}`, "\n", `[]`, 0},
		"shown only":           {`{"type":"string","readOnly":true,"default":"x"}`, "y", ``, 0},
		"text taken out":       {`{"type":"string","default":"x"}`, "", ``, 0},
		"choices taken out":    {`{"type":"array","items":{"enum":["a"]},"default":["a"]}`, "", `[]`, 0},
		"text not to take out": {`{"type":"string","minLength":1,"default":"x"}`, "", ``, 0},
		"number taken out":     {`{"type":"number","default":1}`, "", ``, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := fieldOf(t, tt.property)
			checkTyped(t, f, tt.typed, tt.want, tt.code)
		})
	}
}

func TestParseTypedRequired(t *testing.T) {
	tests := map[string]struct {
		property string
		want     string
		code     form.Code
	}{
		"text":         {`{"type":"string"}`, ``, form.Missing},
		"longer text":  {`{"type":"string","minLength":1}`, ``, form.Missing},
		"date":         {`{"type":"string","format":"date"}`, ``, form.Missing},
		"number":       {`{"type":"number"}`, ``, form.Missing},
		"integer":      {`{"type":"integer","default":1}`, ``, form.Missing},
		"boolean":      {`{"type":"boolean"}`, ``, form.Missing},
		"choice":       {`{"type":"string","enum":["a"]}`, ``, form.Missing},
		"empty choice": {`{"type":"string","enum":["a",""]}`, `""`, 0},
		"choices":      {`{"type":"array","items":{"enum":["a"]}}`, `[]`, 0},
		"list":         {`{"type":"array","items":{"type":"string"}}`, `[]`, 0},
		"nullable":     {`{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `null`, 0},
		"or null":      {`{"enum":["a",null]}`, `null`, 0},
		"some choices": {`{"type":"array","items":{"enum":["a"]},"minItems":1}`, ``, form.TooFew},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := fieldOf(t, tt.property)
			f.Required = true
			checkTyped(t, f, "", tt.want, tt.code)
		})
	}
}

func checkTyped(t *testing.T, f form.Field, typed, want string, code form.Code) {
	t.Helper()
	value, p := f.Parse(typed)
	if string(value) != want {
		t.Errorf("got %q, want %q", value, want)
	}
	switch {
	case p == nil && code != 0:
		t.Errorf("no problem, want code %d", code)
	case p != nil && (p.Code != code || p.Property != f.Name || p.Message == ""):
		t.Errorf("got %+v, want code %d", *p, code)
	}
}
