package sampling_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/internal/sampling"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// The model is the schema and the specification's prose a second time, over
// decoded values and without places: it only knows whether something is wrong.

type object = map[string]any

func is[T any](v any) bool { _, ok := v.(T); return ok }

// has reports whether a member is there and of type T.
func has[T any](o object, name string) bool { return is[T](o[name]) }

// may reports whether a member is of type T if it is there.
func may[T any](o object, name string) bool {
	_, there := o[name]
	return !there || has[T](o, name)
}

// maybe is may for what a server sends, where null is as good as absent.
func maybe[T any](o object, name string) bool { return o[name] == nil || has[T](o, name) }

func enum(o object, name string, values ...string) bool {
	s, ok := o[name].(string)
	return o[name] == nil || ok && slices.Contains(values, s)
}

func blocksOf(o object, name string) ([]any, bool) {
	switch c := o[name].(type) {
	case []any:
		return c, true
	case object:
		return []any{c}, true
	}
	return nil, false
}

func modelBlock(v any, allowed ...string) bool {
	o, ok := v.(object)
	kind, _ := o["type"].(string)
	if !ok || !slices.Contains(allowed, kind) {
		return false
	}
	switch kind {
	case "text":
		return has[string](o, "text")
	case "image", "audio":
		return has[string](o, "data") && has[string](o, "mimeType")
	case "tool_use":
		return has[string](o, "id") && has[string](o, "name") && has[object](o, "input")
	case "resource_link":
		return has[string](o, "name") && has[string](o, "uri")
	case "resource":
		r, ok := o["resource"].(object)
		return ok && has[string](r, "uri") && maybe[string](r, "text") && maybe[string](r, "blob") && (has[string](r, "text") || has[string](r, "blob"))
	case "tool_result":
		content, ok := o["content"].([]any)
		for _, b := range content {
			ok = ok && modelBlock(b, "text", "image", "audio", "resource_link", "resource")
		}
		return ok && has[string](o, "toolUseId")
	}
	return false
}

// ids are those of the blocks of a kind, and others how many blocks are not.
func idsOf(blocks []any, kind, member string) (ids []string, others int) {
	for _, b := range blocks {
		if o := b.(object); o["type"] == kind {
			ids = append(ids, o[member].(string))
		} else {
			others++
		}
	}
	slices.Sort(ids)
	return ids, others
}

func modelRequest(v any, tools bool) bool {
	o, ok := v.(object)
	if !ok {
		return false
	}
	messages, ok := o["messages"].([]any)
	if !ok || !has[json.Number](o, "maxTokens") || !maybe[string](o, "systemPrompt") || !maybe[json.Number](o, "temperature") ||
		!maybe[[]any](o, "stopSequences") || !maybe[object](o, "modelPreferences") || !maybe[object](o, "metadata") || !maybe[[]any](o, "tools") ||
		!maybe[object](o, "toolChoice") || !enum(o, "includeContext", "none", "thisServer", "allServers") {
		return false
	}
	whole, _, _ := strings.Cut(string(o["maxTokens"].(json.Number)), ".")
	count, err := strconv.ParseInt(whole, 10, 64)
	if f, _ := o["maxTokens"].(json.Number).Float64(); err != nil || count < 1 || count > 1<<53-1 || f != float64(count) {
		return false
	}
	if stop, there := o["stopSequences"].([]any); there && slices.ContainsFunc(stop, func(s any) bool { return !is[string](s) }) {
		return false
	}
	hasTools := o["tools"] != nil
	choice, hasChoice := o["toolChoice"].(object)
	if !tools && (hasTools || hasChoice) || hasChoice && !enum(choice, "mode", "auto", "required", "none") {
		return false
	}
	if list, there := o["tools"].([]any); there {
		for _, tool := range list {
			if o, ok := tool.(object); !ok || !has[string](o, "name") || !has[object](o, "inputSchema") {
				return false
			}
		}
	}
	var open []string
	for _, message := range messages {
		m, _ := message.(object)
		blocks, ok := blocksOf(m, "content")
		allowed := "tool_result"
		if m["role"] == "assistant" {
			allowed = "tool_use"
		} else if m["role"] != "user" {
			return false
		}
		for _, b := range blocks {
			ok = ok && modelBlock(b, "text", "image", "audio", allowed)
		}
		if !ok {
			return false
		}
		uses, _ := idsOf(blocks, "tool_use", "id")
		results, others := idsOf(blocks, "tool_result", "toolUseId")
		if !slices.Equal(results, open) || len(results) > 0 && others > 0 || len(slices.Compact(slices.Clone(uses))) != len(uses) ||
			!tools && len(uses)+len(results) > 0 {
			return false
		}
		open = uses
	}
	return len(open) == 0
}

func modelResult(v any) bool {
	o, _ := v.(object)
	blocks, ok := blocksOf(o, "content")
	for _, b := range blocks {
		ok = ok && modelBlock(b, "text", "image", "audio", "tool_use")
	}
	if !ok || o["role"] != "assistant" || !has[string](o, "model") || !may[string](o, "stopReason") {
		return false
	}
	uses, _ := idsOf(blocks, "tool_use", "id")
	return len(slices.Compact(slices.Clone(uses))) == len(uses)
}

// faultForm is every fault there may be: names from the schema, indices and
// fixed text, so that nothing of a value can be in one.
var faultForm = regexp.MustCompile(`^((messages|content|tools|toolChoice|stopSequences|maxTokens|systemPrompt|temperature|modelPreferences|metadata|includeContext|` +
	`role|type|text|data|mimeType|id|name|input|toolUseId|resource|uri|blob|inputSchema|mode|model|stopReason)(\[\d+\])?\.?)* ?` +
	`(is missing|is not an object|is not an array|is not of type (string|number|object|"[a-zA-Z"|]+")|is not one of [a-z_|]+|has neither text nor blob|` +
	`is not a whole number from 1 to 9007199254740991|ends with a tool_use and without its tool_result|` +
	`is not Unicode text or is that of another tool_use in the message|is not that of an unanswered tool_use in the message before|` +
	`has a tool_result and something else|follows a tool_use and has no tool_result for it|` +
	`(or toolChoice )?needs the capability sampling.tools, which was not declared)$`)

// checkBoth holds one text against the model in both roles.
func checkBoth(t *testing.T, data []byte) (request, result bool) {
	t.Helper()
	fault, undeclared := sampling.CheckRequest(data, true)
	without, missing := sampling.CheckRequest(data, false)
	answer := sampling.CheckResult(data)
	for _, f := range []sentence.Text{fault, without, answer} {
		if f != "" && !faultForm.MatchString(f.String()) {
			t.Fatalf("%s: fault %q has an unknown form", data, f)
		}
	}
	if undeclared || missing && without == "" || missing != strings.HasSuffix(without.String(), "which was not declared") {
		t.Fatalf("%s: undeclared %v with %q, %v with %q", data, undeclared, fault, missing, without)
	}
	if rawjson.Strict(data) != nil || bytes.Contains(data, []byte(`\u`)) { // encoding/json loses lone surrogates
		return false, false
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if got, want := fault == "", modelRequest(v, true); got != want {
		t.Fatalf("CheckRequest(%s, true): got %q, want accepted %v", data, fault, want)
	}
	if got, want := without == "", modelRequest(v, false); got != want {
		t.Fatalf("CheckRequest(%s, false): got %q, want accepted %v", data, without, want)
	}
	if got, want := answer == "", modelResult(v); got != want {
		t.Fatalf("CheckResult(%s): got %q, want accepted %v", data, answer, want)
	}
	return fault == "", answer == ""
}

// TestAgreesWithTheModel damages good requests and results in a few places.
func TestAgreesWithTheModel(t *testing.T) {
	random := rand.New(rand.NewPCG(2026, 7))
	var requests, results, both int
	const runs = 10_000
	for range runs {
		v := any(goodRequest(random))
		if random.IntN(3) == 0 {
			v = goodResult(random)
		}
		for random.IntN(2) == 0 {
			v = damage(random, v)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		request, result := checkBoth(t, data)
		if request {
			requests++
		}
		if result {
			results++
		}
		if !request && !result {
			both++
		}
	}
	t.Logf("of %d, accepted requests %d and results %d, refused as both %d", runs, requests, results, both)
	if requests < runs/10 || results < runs/10 || both < runs/10 {
		t.Error("too few of a kind to mean anything")
	}
}

func goodBlock(random *rand.Rand) object {
	return []object{{"type": "text", "text": "t"}, {"type": "image", "data": "AA==", "mimeType": "image/png"}, {"type": "audio", "data": "", "mimeType": "a"}}[random.IntN(3)]
}

func goodUses(random *rand.Rand) (uses, results []any) {
	for i := range random.IntN(4) {
		id := strconv.Itoa(i)
		uses = append(uses, object{"type": "tool_use", "id": id, "name": "n", "input": object{}})
		content := []any{goodBlock(random), object{"type": "resource_link", "name": "n", "uri": "a:b"},
			object{"type": "resource", "resource": object{"uri": "a:b", []string{"text", "blob"}[random.IntN(2)]: ""}}}
		results = append(results, object{"type": "tool_result", "toolUseId": id, "content": content[random.IntN(3):]})
	}
	return uses, results
}

func goodRequest(random *rand.Rand) object {
	messages := []any{}
	for range random.IntN(4) {
		messages = append(messages, object{"role": "user", "content": goodBlock(random)})
		if uses, results := goodUses(random); len(uses) > 0 {
			messages = append(messages, object{"role": "assistant", "content": append(uses, goodBlock(random))}, object{"role": "user", "content": results})
		}
		messages = append(messages, object{"role": "assistant", "content": []any{goodBlock(random)}})
	}
	optional := []struct {
		name  string
		value any
	}{
		{"systemPrompt", "s"}, {"temperature", 0.5}, {"stopSequences", []any{"a", "b"}}, {"modelPreferences", object{}}, {"metadata", object{}},
		{"includeContext", "none"}, {"tools", []any{object{"name": "n", "inputSchema": object{}}}}, {"toolChoice", object{"mode": "auto"}},
	}
	params := object{"messages": messages, "maxTokens": []any{1, 100, json.Number("5.0"), json.Number("9007199254740991")}[random.IntN(4)]}
	for _, o := range optional {
		if random.IntN(6) == 0 {
			params[o.name] = o.value
		}
	}
	return params
}

func goodResult(random *rand.Rand) object {
	uses, _ := goodUses(random)
	return object{"role": "assistant", "content": append(uses, goodBlock(random)), "model": "m", "stopReason": "endTurn"}
}

// damage changes one thing somewhere in v.
func damage(random *rand.Rand, v any) any {
	switch o := v.(type) {
	case object:
		names := make([]string, 0, len(o))
		for name := range o {
			names = append(names, name)
		}
		slices.Sort(names)
		if len(names) == 0 || random.IntN(8) == 0 {
			break
		}
		name := names[random.IntN(len(names))]
		switch random.IntN(8) {
		case 0:
			delete(o, name)
		case 1:
			o["other"] = o[name]
		default:
			o[name] = damage(random, o[name])
		}
		return o
	case []any:
		if len(o) == 0 || random.IntN(8) == 0 {
			break
		}
		i, j := random.IntN(len(o)), random.IntN(len(o))
		switch random.IntN(8) {
		case 0:
			return slices.Delete(slices.Clone(o), i, i+1)
		case 1:
			return append(slices.Clone(o), o[i])
		case 2:
			o[i], o[j] = o[j], o[i]
		default:
			o[i] = damage(random, o[i])
		}
		return o
	}
	other := []any{nil, true, "", "0", "user", "assistant", "text", "tool_use", "tool_result", "auto", 0, -1, 1, 1.5, json.Number("1e2"), json.Number("2.00"),
		json.Number("9007199254740992"), []any{}, object{}, []any{v}, object{"type": "text", "text": ""}}
	return other[random.IntN(len(other))]
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{``, `{`, `{"maxTokens":1.00,"messages":[` + hello + `]}`, with(assistant(useA, useB), user(resultB, resultA)) + `}`,
		with(assistant(useA), user(text, resultA)) + `,"tools":[],"toolChoice":{"mode":"auto"},"includeContext":"none","stopSequences":[""]}`,
		`{"role":"assistant","content":[` + useA + `],"model":"m","stopReason":"toolUse"}`, `{"messages":[{"role":"user","content":[{"type":"text","text":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkBoth(t, data) })
}
