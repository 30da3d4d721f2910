//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
)

const hostileForm = `"result":{"resultType":"input_required","requestState":<0>,"inputRequests":{
	<1>:{"method":"elicitation/create","params":{"message":<2>,"requestedSchema":{"type":"object","properties":{
		<3>:{"type":"string","title":<4>,"description":<5>,"default":<6>},
		"pick":{"type":"string","oneOf":[{"const":<7>,"title":<8>},{"const":<9>,"title":<8>}]},
		"marks":{"type":"array","title":<10>,"items":{"enum":[<11>,<12>]},"minItems":1},
		<13>:{"type":"boolean"}
	},"required":["pick","marks"]}}},
	"model":{"method":"sampling/createMessage","params":{"systemPrompt":<14>,"messages":[{"role":"user","content":{"type":"text","text":<16>}}],"maxTokens":9,"modelPreferences":{"hints":[{"name":<17>}]}}},
	<18>:{"method":"roots/list"}}}`

const hostileResult = `"result":{"content":[{"type":"text","text":<20>},{"type":"image","mimeType":<21>,"data":""},{"type":<22>},
	{"type":"resource_link","name":<23>,"uri":<24>},{"type":"resource","resource":{"uri":<25>,"text":<26>}}],"structuredContent":{<27>:<28>}}`

// TestHostileServer answers a server whose every string is hostile.
func TestHostileServer(t *testing.T) {
	t.Parallel()
	url, bodies := rawServer(t, quoted(hostileForm), quoted(hostileResult))
	w := start(t, 150, 50, "call", url, "x", "--trace", "--sample-cmd", sampleCommand(), "--root", ".")
	w.seesFlat("← leg 1  input_required", "key "+seen(1), "│ "+seen(2),
		"┃ "+seen(4), "┃ "+seen(5), "optional · the server's default has hidden characters",
		"> E6]0;pwned[31;1mred[2J5nexe.gpjend")
	w.press(enter)
	w.seesFlat("> "+seen(8)[:20], `("E7\u001b]0;pwned`)
	w.press(enter)
	w.seesFlat(seen(10), "> [ ] "+seen(11), "[ ] "+seen(12), "at least 1 of them")
	w.press(" ", enter)
	w.seesFlat("┃ "+seen(13), "> (leave it out)")
	w.press(enter)
	w.seesFlat("• "+seen(4)+": E6]0", "• pick: "+seen(8), "• "+seen(10)+": "+seen(11), "• "+seen(13)+": (left out)")
	w.press(enter)
	w.seesFlat("→ answered\n  "+seen(4)+": E6]0", "user:\n│ "+seen(16), "system:\n│ "+seen(14), "Give this to ")
	w.press(enter)
	w.seesFlat("> Send")
	w.press(enter)
	w.seesFlat("→ shared 1 folder", seen(20), "[image, "+seen(21)+", 0 bytes]", `[content of type "`, "[resource "+seen(23)+": "+seen(24)+"]", seen(25)+":\n"+seen(26), `E27\u001b]0;pwned`)
	w.ends(0)
	checkSafe(t, w.raw.String())
	// What goes back is what came, whatever was shown.
	key, _ := json.Marshal(evil(1))
	choice := jsontext.Quote(evil(7))
	if got := bodies()[1]; !strings.Contains(got, string(key)+`:{"action":"accept","content":{`) || !strings.Contains(got, `"pick":`+string(choice)) {
		t.Errorf("answer: got %s", got)
	}
}

// TestHostileErrors fails in every way that shows the server's words.
func TestHostileErrors(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://\u202eevil.example/\u200b")
		w.WriteHeader(http.StatusPermanentRedirect)
	}))
	t.Cleanup(elsewhere.Close)
	raw := func(message string) string { url, _ := rawServer(t, quoted(message)); return url }
	tests := map[string]struct {
		url  string
		args []string
		code int
		want string
	}{
		"error":       {raw(`"error":{"code":-32000,"message":<1>,"data":<2>}`), nil, 3, "error -32000: " + seen(1) + ` "E2\u001b]0;pwned`},
		"code":        {raw(`"error":{"code":<1>,"message":"m"}`), nil, 3, "without a code: the server says “m”"},
		"result type": {raw(`"result":{"resultType":<1>}`), []string{"--trace"}, 3, `resultType "E1\u001b]0;pwned`},
		"field":       {raw(`"result":{"resultType":"input_required","inputRequests":{<1>:{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"properties":{<2>:{"type":<3>}}}}}}}`), nil, 3, `E1\u001b]0;pwned`},
		"method":      {raw(`"result":{"resultType":"input_required","inputRequests":{<1>:{"method":<2>}}}`), []string{"--trace"}, 3, `inputRequests["E1\u001b]0;pwned`},
		"tool error":  {raw(`"result":{"content":[{"type":"text","text":<1>}],"isError":true}`), nil, 1, seen(1)},
		"JSON":        {raw(`"result":{"content":[{"type":"text","text":<1>}]}`), []string{"--json"}, 0, `E1\u001b]0;pwned\u0007\u001b[31;1mred\u001b[2J\u009b5n\u202eexe.gpj\u2066\u200b\ufeff\r\b\u0000\u007fend`},
		"odd result":  {raw(`"result":{"content":<1>}`), nil, 0, `E1\u001b]0;pwned`},
		"redirect":    {elsewhere.URL, nil, 3, "the server has moved to http://%E2%80%AEevil.example/"},
		"our own":     {raw(done), []string{"--label", "\u202e", "--nope\x1b[2J"}, 2, "flag provided but not defined: -nope␛[2J"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, 200, 24, append([]string{"call", tt.url, "x", "--engine=native"}, tt.args...)...)
			w.seesFlat(tt.want)
			w.ends(tt.code)
			checkSafe(t, w.raw.String())
		})
	}
}

// TestOtherLetters has names in letters that encoding/json would take for the
// schema's, after those and in their place.
func TestOtherLetters(t *testing.T) {
	t.Parallel()
	const right = `"content":[{"type":"text","text":"right"}]`
	tests := map[string]struct {
		message string
		args    []string
		code    int
		stdout  string
		stderr  string
	}{
		"text":     {`"result":{"content":[{"type":"text","text":"right","Text":"wrong"}]}`, []string{"call", "x"}, 0, "right\n", ""},
		"content":  {`"result":{` + right + `,"Content":[]}`, []string{"call", "x"}, 0, "right\n", ""},
		"is error": {`"result":{` + right + `,"IsError":true}`, []string{"call", "x"}, 0, "right\n", ""},
		"kind":     {`"result":{"resultType":"complete","ResultType":"wrong",` + right + `}`, []string{"call", "x", "--trace"}, 0, "right\n", "← leg 1  complete"},
		"method":   {`"Method":"wrong","result":{` + right + `}`, []string{"call", "x", "--trace"}, 0, "right\n", "← leg 1  complete"},
		"asks": {`"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list","Method":"wrong"}}}`, []string{"call", "x"}, 3, "",
			`inputRequests["k"]: roots was not declared`},
		"error": {`"error":{"code":-32000,"message":"right","Message":"wrong","Data":7}`, []string{"call", "x"}, 3, "", "error -32000: right\n"},
		"tools": {`"result":{"tools":[{"name":"right","inputSchema":{}}],"Tools":[]}`, []string{"tools"}, 0, "right\n", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _ := rawServer(t, tt.message)
			got := run(t, "", append([]string{tt.args[0], url, "--engine=native"}, tt.args[1:]...)...)
			got.check(t, tt.code, tt.stdout)
			got.says(t, tt.stderr)
		})
	}
}

// TestHostileProgress tells of its progress in a hostile way.
func TestHostileProgress(t *testing.T) {
	t.Parallel()
	text, _ := json.Marshal(evil(1))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Params struct {
				Meta struct {
					ProgressToken json.RawMessage `json:"progressToken"`
				} `json:"_meta"`
			} `json:"params"`
		}
		json.NewDecoder(r.Body).Decode(&request)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":1,\"message\":%s}}\n\n", request.Params.Meta.ProgressToken, text)
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":%s}\n\n", text)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	w := start(t, 150, 24, "call", s.URL, "x", "--trace")
	w.seesFlat(label(s.URL)+": "+seen(1)[:60], "← leg 1  progress  "+seen(1), "← "+seen(1))
	w.press(ctrlC)
	w.ends(6)
	checkSafe(t, w.raw.String())
}

// TestFlood asks with a message that is longer than the screen, and many
// fields and options.
func TestFlood(t *testing.T) {
	t.Parallel()
	var options, fields []string
	for n := range 100 {
		options = append(options, fmt.Sprintf(`"option %d"`, n))
		fields = append(fields, fmt.Sprintf(`"field%d":{"type":"boolean"}`, n))
	}
	url, _ := rawServer(t, fmt.Sprintf(`"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{
		"message":%q,"requestedSchema":{"type":"object","properties":{"one":{"type":"string","enum":[%s]},%s}}}}}}`,
		strings.Repeat("All work and no play. ", 2000)+strings.Repeat("\n", 5000), strings.Join(options, ","), strings.Join(fields, ",")), done)
	w := start(t, 80, 24, "call", url, "x")
	w.seesFlat("more bytes)", "┃ one", "> (leave it out)", "  option 99", "field 1 of 101")
	w.press("\x1b[H") // the first one
	w.seesFlat("> option 0")
	w.press("/", "77", enter) // huh takes Enter for the choice
	w.seesFlat("field0", "field 2 of 101")
	w.press(escape)
	w.seesFlat("> Continue answering")
	w.press(down, enter)
	w.seesFlat("→ declined", "ok")
	w.ends(0)
}

// TestHostileStdio has a server over stdio say everything it can in a hostile
// way.
func TestHostileStdio(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		code int
		want []string
	}{
		"discover": {[]string{"discover"}, 0, []string{seen(5) + " (" + seen(4) + ") " + seen(6), "website       " + seen(7), seen(1) + " (" + seen(2) + ")", "  │ " + seen(3), "hostile │ " + seen(30)}},
		"tools":    {[]string{"tools"}, 0, []string{seen(8) + "  " + seen(9) + "\n", "  │ " + seen(10), "  " + seen(11) + "  " + seen(12) + ", default \"E14\\u001b]0;pwned", ": " + seen(13), "one of " + seen(15)}},
		"json":     {[]string{"discover", "--json"}, 0, []string{`"name":"E4\u001b]0;pwned\u0007`}},
		"call":     {[]string{"call", "x", "--trace"}, 3, []string{seen(17)[:4], "(" + seen(18) + ")", `E19\u001b]0;pwned`, "answered with error -32000: " + seen(20)}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, 220, 40, with(stdio("hostile"), tt.args[0], append(tt.args[1:], "--engine=native", "--label", "hostile")...)...)
			w.seesFlat(tt.want...)
			w.ends(tt.code)
			checkSafe(t, w.raw.String())
		})
	}
}

// TestHostileForms has hostile texts where a form of an SDK may have them.
func TestHostileForms(t *testing.T) {
	t.Parallel()
	url, bodies := rawServer(t, quoted(`"result":{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m",
		"requestedSchema":{"type":"object","properties":{
			"shown":{"type":"string","title":<1>,"default":<2>,"readOnly":true},
			"kind":{"anyOf":[{"type":"string","description":<3>},{"type":"string","description":<4>},{"const":<5>}]},
			"list":{"type":"array","items":{"type":"string","pattern":<6>},"examples":[<7>],"default":[<8>]},
			"hints":{"type":"string","format":<9>,"contentEncoding":<10>}
		},"required":["kind"]}}}}}`), done)
	w := start(t, 150, 50, "call", url, "x", "--engine=native")
	w.seesFlat("│ "+seen(1)+": E2␛]0;pwned", "text (“"+seen(3), "text (“"+seen(4), "“"+seen(5))
	w.press(down, down, enter)
	w.seesFlat("the server's default has hidden characters, which are left out", "such as “"+seen(7)[:20], "the pattern “"+seen(6)[:20], "E8]0;pwned[31;1mred[2J5nexe.gpjend")
	w.press("\t")
	w.seesFlat("the format “"+seen(9)[:20], "in the encoding “"+seen(10)[:20])
	w.press(enter)
	w.seesFlat("• kind: "+seen(5), "• list: E8]0;pwned", "> Send")
	w.press(enter)
	w.sees("→ answered")
	w.ends(0)
	checkSafe(t, w.raw.String())
	if got, want := bodies()[1], `"kind":`+string(jsontext.Quote(evil(5))); !strings.Contains(got, want) {
		t.Errorf("answer: got %s, want %s", got, want)
	}
}
