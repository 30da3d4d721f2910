package main_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const done = `"result":{"content":[{"type":"text","text":"ok"}]}`

func TestArguments(t *testing.T) {
	tests := map[string]struct {
		command string
		args    []string
		stdin   string
		want    string // what stands in the params before _meta
	}{
		"none":         {"call", []string{"t"}, "", `{"name":"t","arguments":{}`},
		"as written":   {"call", []string{"t", ` {"a": 1.0, "b":12345678901234567890, "c":"\u0061\ud800"} `}, "", `{"name":"t","arguments":{"a": 1.0, "b":12345678901234567890, "c":"\u0061\ud800"}`},
		"from stdin":   {"call", []string{"t", "-"}, "\ufeff{\"a\":1.50}\n", `{"name":"t","arguments":{"a":1.50}`},
		"words":        {"call", []string{"t", "a=1.0", "b:=1.0", `c=<"é">`, "d:=[1, 2]", "e=", "f==x", "g:h=:="}, "", `{"name":"t","arguments":{"a":"1.0","b":1.0,"c":"<\"é\">","d":[1, 2],"e":"","f":"=x","g:h":":="}`},
		"prompt":       {"prompt", []string{"p", "a=b"}, "", `{"name":"p","arguments":{"a":"b"}`},
		"resource":     {"read", []string{`x://y?a="b"&c`}, "", `{"uri":"x://y?a=\"b\"&c"`},
		"flags last":   {"call", []string{"t", "a=b", "--timeout", "5s", "--json"}, "", `{"name":"t","arguments":{"a":"b"}`},
		"after --":     {"call", []string{"--json", "--", "-t", "-a=b"}, "", `{"name":"-t","arguments":{"-a":"b"}`},
		"URL, then --": {"call", []string{"t", "--", "-a=b"}, "", `{"name":"t","arguments":{"-a":"b"}`},
		"name quoted":  {"call", []string{"a\"b\n"}, "", `{"name":"a\"b\n","arguments":{}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			url, bodies := rawServer(t, done)
			args := append([]string{tt.command, "--engine=native"}, tt.args...)
			if tt.args[0] == "--json" { // the URL comes after --
				args = append([]string{tt.command, "--engine=native", "--json", "--", url}, tt.args[2:]...)
			} else {
				args = append([]string{tt.command, "--engine=native", url}, tt.args...)
			}
			got := run(t, tt.stdin, args...)
			if got.code != 0 {
				t.Fatalf("got exit %d: %s", got.code, got.stderr)
			}
			if _, params, _ := strings.Cut(bodies()[0], `"params":`); !strings.HasPrefix(params, tt.want+`,"_meta":`) {
				t.Errorf("params: got %s, want %s", params, tt.want)
			}
		})
	}
}

func TestUsageErrors(t *testing.T) {
	const url = "http://127.0.0.1:1"
	tests := map[string]struct {
		args  []string
		stdin string
		want  string
	}{
		"nothing":          {nil, "", "there is no command"},
		"unknown command":  {[]string{"cal"}, "", `there is no command "cal"`},
		"unknown flag":     {[]string{"call", url, "t", "--nope"}, "", "flag provided but not defined: -nope"},
		"no tool":          {[]string{"call", url}, "", "call needs URL TOOL"},
		"no URL":           {[]string{"call", "127.0.0.1:8080", "t"}, "", `"127.0.0.1:8080" is no http or https URL`},
		"no server":        {[]string{"call", "get_weather"}, "", `"get_weather" is no http or https URL, such as http://127.0.0.1:8080/mcp; a server that is a command comes last, after --`},
		"nothing after --": {[]string{"call", "t", "--"}, "", "there is no command after --"},
		"--, no tool":      {[]string{"call", "--", "./my-server", "x"}, "", `"./my-server" is no http or https URL`},
		"two servers":      {[]string{"tools", url, "--", "./my-server"}, "", "tools takes nothing but the server"},
		"discover what":    {[]string{"discover"}, "", "discover needs the server: its URL, or its command after --"},
		"tools and more":   {[]string{"tools", url, "x"}, "", "tools takes nothing but the server"},
		"parked, a script": {[]string{"parked", "--script", "demo.json"}, "", "flag provided but not defined: -script"},
		"tools, to a file": {[]string{"tools", url, "--output", "x"}, "", "flag provided but not defined: -output"},
		"output, no place": {[]string{"call", url, "t", "--output", "none/x"}, "", "--output: stat none: no such file or directory"},
		"output, a place":  {[]string{"call", url, "t", "--output", "internal"}, "", "--output: internal is a directory"},
		"long URL":         {[]string{"tools", url + "/" + strings.Repeat("x", 1024)}, "", "the server's URL is longer than 1024 bytes"},
		"long arguments":   {[]string{"call", url, "t", "-"}, `{"a":"` + strings.Repeat("x", 64<<20) + `"}`, "the arguments on standard input are longer than 64 MiB, the most that parley sends"},
		"log level":        {[]string{"call", url, "t", "--log-level", "loud"}, "", `--log-level is one of debug, info, notice, warning, error, critical, alert, emergency, not "loud"`},
		"dialect":          {[]string{"call", url, "t", "--dialect", "SEP-1"}, "", "Dialect is not one that a host can choose"},
		"another version":  {[]string{"call", url, "t", "--protocol-version", "2026-06-XX"}, "", "Versions has one that is not known here"},
		"dialect, resumed": {[]string{"resume", "id", "--dialect", "SEP-2322"}, "", "flag provided but not defined: -dialect"},
		"server log":       {[]string{"call", url, "t", "--server-log", "."}, "", "--server-log: "},
		"known":            {[]string{"call", url, "t", "--known", "demo.json"}, "", "is not a file that parley wrote"},
		"file URL":         {[]string{"call", "file:///etc", "t"}, "", "is no http or https URL"},
		"bad JSON":         {[]string{"call", url, "t", "{\"a\": 1,\n \"b\" 2}"}, "", "the arguments: not JSON at line 2, column 6: invalid character '2' after object key"},
		"short JSON":       {[]string{"call", url, "t", `{"a": "é`}, "", "line 1, column 9: unexpected end"},
		"empty":            {[]string{"call", url, "t", "-"}, "", "line 1, column 1: unexpected end"},
		"a list":           {[]string{"call", url, "t", "[1]"}, "", "the arguments are JSON, but no object"},
		"more JSON":        {[]string{"call", url, "t", "{}", "{}"}, "", `"{}" is neither name=value nor name:=json`},
		"no UTF-8":         {[]string{"call", url, "t", "-"}, "{\"a\":\"\xff\"}", "the arguments: not UTF-8"},
		"bad value":        {[]string{"call", url, "t", "a:=1,2"}, "", "the value of a: not JSON at line 1, column 2"},
		"no name":          {[]string{"call", url, "t", "=x"}, "", `"=x" has no name`},
		"name twice":       {[]string{"call", url, "t", "a=1", "a:=2"}, "", "a is given twice"},
		"two resources":    {[]string{"read", url, "a", "b"}, "", "read takes URL RESOURCE_URI and nothing else"},
		"no engine":        {[]string{"call", url, "t", "--engine", "v8"}, "", `--engine is wasm or native, not "v8"`},
		"bad timeout":      {[]string{"call", url, "t", "--timeout", "soon"}, "", `invalid value "soon" for flag -timeout`},
		"past timeout":     {[]string{"call", url, "t", "--timeout", "-1s"}, "", "cannot be negative"},
		"no script":        {[]string{"call", url, "t", "--script", "none.json"}, "", "none.json"},
		"no directory":     {[]string{"call", url, "t", "--root", "demo.json"}, "", "demo.json is no directory"},
		"no such root":     {[]string{"call", url, "t", "--root", "none"}, "", "--root: "},
		"sample command":   {[]string{"call", url, "t", "--sample-cmd", "'x"}, "", "--sample-cmd: a quote is not closed"},
		"sample alone":     {[]string{"call", url, "t", "--sample-yes"}, "", "go with --sample-cmd"},
		"sample unasked":   {[]string{"call", url, "t", "--sample-cmd", "x", "--script", "demo.json"}, "", "needs --sample-yes"},
		"no verb":          {[]string{"token"}, "", "token needs one of inspect, open, seal, new-key, rotate"},
		"store what":       {[]string{"store"}, "", "store needs move FROM TO"},
		"move where":       {[]string{"store", "move", "file:a"}, "", "store move needs FROM and TO"},
		"move nowhere":     {[]string{"store", "move", "file:a", "file:a"}, "", "the same store"},
		"move to what":     {[]string{"store", "move", "file:a", "mysql://x"}, "", "postgres://USER@HOST"},
		"no variable":      {[]string{"store", "move", "env:NO_SUCH_STORE", "file:a"}, "", "NO_SUCH_STORE has no URL"},
		"move, a password": {[]string{"store", "move", "file:a", "redis://u:hunter2@x"}, "", "has a password"},
		"no new key":       {[]string{"token", "new-key"}, "", "token new-key needs the FILE to make"},
		"no context":       {[]string{"token", "seal"}, "", "token seal needs --context"},
		"no key file":      {[]string{"token", "open", "demo.json"}, "", "--key-file FILE or the variable PARLEY_KEY_FILE"},
		"no step":          {[]string{"token", "rotate", "turn"}, "", "is accept, activate or drop"},
		"step and all":     {[]string{"token", "rotate", "drop", "--snapshots"}, "", "does all the steps at once"},
		"state elsewhere":  {[]string{"token", "rotate", "--state-dir", "x"}, "", "--state-dir goes with --snapshots"},
		"two files":        {[]string{"token", "open", "a", "b"}, "", "takes one FILE"},
		"login where":      {[]string{"login"}, "", "login needs the URL of one server"},
		"login to what":    {[]string{"login", "--", "./my-server"}, "", `"./my-server" is no http or https URL`},
		"accounts of":      {[]string{"accounts", url}, "", "accounts takes no arguments"},
		"escapes":          {[]string{"call", url, "t", "a=\x1b[2J", "a=\x1b[2J"}, "", "a is given twice"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := run(t, tt.stdin, tt.args...)
			got.check(t, 2, "")
			got.says(t, "parley: ", tt.want)
		})
	}
}

func TestFailures(t *testing.T) {
	elsewhere := httptest.NewServer(http.RedirectHandler("http://evil.example/", http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	page := httptest.NewServer(http.NotFoundHandler())
	defer page.Close()
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer locked.Close()
	raw := func(message string) string { url, _ := rawServer(t, message); return url }
	tests := map[string]struct {
		url  string
		args []string
		want string
	}{
		"no server":    {"http://127.0.0.1:1/mcp", nil, "parley: no answer from 127.0.0.1:1: "},
		"label":        {"http://127.0.0.1:1/mcp", []string{"--label", "the\x1bdesk"}, "parley: no answer from the␛desk: "},
		"no MCP":       {page.URL, nil, "HTTP status 404 Not Found (is this the server's MCP endpoint?)"},
		"locked":       {locked.URL, nil, "wants you to sign in (HTTP status 401), and nobody is here to be asked: run  parley login " + locked.URL + "  first\n"},
		"redirect":     {elsewhere.URL, nil, "the server has moved to http://evil.example/, and redirects are not followed: give that URL)\n"},
		"URL question": {raw(`"result":{"resultType":"input_required","inputRequests":{"u":{"method":"elicitation/create","params":{"mode":"url","url":"https://x","message":"m"}}}}`), nil, "capability not declared: "},
		"no form":      {raw(`"result":{"resultType":"input_required","inputRequests":{"u":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"o":{"type":"object"}}}}}}}`), nil, `form refused by Parley: inputRequests["u"]: "o" is an object, which a form cannot show. Nobody was asked: tell those who run `},
		"secret":       {raw(`"result":{"resultType":"input_required","inputRequests":{"u":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"p":{"type":"string","format":"password"}}}}}}}`), nil, `form refused by Parley: inputRequests["u"]: "p" asks for a secret`},
		"result type":  {raw(`"result":{"resultType":"later"}`), nil, "unknown resultType: "},
		"error":        {raw(`"error":{"code":-32603,"message":"out of order"}`), nil, "answered with error -32603: out of order\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", append([]string{"call", "--engine=native", tt.url, "t"}, tt.args...)...)
			got.check(t, 3, "")
			got.says(t, tt.want)
		})
	}
}

func TestTimeout(t *testing.T) {
	got := run(t, "", "call", slowServer(t), "t", "--timeout", "100ms")
	got.check(t, 6, "")
	got.says(t, "within 100ms (--timeout)", "It is in doubt", "parked as ")
	got = run(t, "", "prompt", slowServer(t), "t", "--timeout", "100ms")
	got.check(t, 3, "")
	got.says(t, "within 100ms (--timeout)")
}

func TestHelp(t *testing.T) {
	tests := map[string]struct {
		args []string
		want []string
	}{
		"help":      {[]string{"help"}, []string{"Usage:\n  parley call ", "Exit codes:"}},
		"flag":      {[]string{"--help"}, []string{"Usage:\n  parley call "}},
		"call":      {[]string{"call", "--help"}, []string{"Usage: parley call URL TOOL", "--sample-cmd", "130  interrupted", "--state-dir DIR", "They are encrypted"}},
		"resume":    {[]string{"help", "resume"}, []string{"--resend", "--browser"}},
		"discover":  {[]string{"discover", "--help"}, []string{"Usage: parley discover URL", "rely on none of them", "--known FILE"}},
		"tools":     {[]string{"help", "tools"}, []string{"parley tools --json -- ./my-server", "  3    it failed"}},
		"login":     {[]string{"help", "login"}, []string{"Usage: parley login URL", "--scope 'SCOPES'", "--bearer-file FILE", "  3    it failed"}},
		"logout":    {[]string{"logout", "-h"}, []string{"Usage: parley logout URL", "revoke the tokens", "--client-secret-file FILE"}},
		"accounts":  {[]string{"accounts", "-h"}, []string{"Tokens are not\nshown"}},
		"parked":    {[]string{"parked", "-h"}, []string{"Lists the parked calls"}},
		"export":    {[]string{"export", "-h"}, []string{"Usage: parley export ID [FILE]", "It holds a secret"}},
		"import":    {[]string{"help", "import"}, []string{"Usage: parley import FILE", "take no file from somebody"}},
		"help read": {[]string{"help", "read"}, []string{"Usage: parley read URL RESOURCE_URI"}},
		"store":     {[]string{"help", "store"}, []string{"Usage: parley store move FROM TO", "env:NAME"}},
		"token":     {[]string{"help", "token"}, []string{"parley token inspect [FILE]", "Exit codes:\n  0    done"}},
		"rotate":    {[]string{"token", "rotate", "--help"}, []string{"Usage: parley token rotate [accept", "--snapshots", "Exit codes:\n  0    done"}},
		"help seal": {[]string{"help", "token", "seal"}, []string{"Usage: parley token seal", "--context CONTEXT"}},
		"default":   {[]string{"call", "--timeout", "7s", "--help"}, []string{"(default 1m)"}},
		"help help": {[]string{"help", "--help"}, []string{"Usage:\n  parley call "}},
		"script":    {[]string{"help", "script"}, []string{`{"key": "resolution", "action": "accept",`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", tt.args...)
			if got.code != 0 || got.stderr != "" {
				t.Errorf("got exit %d, %q", got.code, got.stderr)
			}
			for _, want := range tt.want {
				if !strings.Contains(got.stdout, want) {
					t.Errorf("the help lacks %q", want)
				}
			}
			for line := range strings.Lines(got.stdout) {
				if len([]rune(line)) > 81 {
					t.Errorf("wider than 80 columns: %s", line)
				}
			}
		})
	}
}

// TestExampleScripts runs the scripts that the help and README.md show.
func TestExampleScripts(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{run(t, "", "help", "script").stdout, string(readme)} {
		example := text[strings.Index(text, "\n{"):]
		example = example[:strings.Index(example, "\n}")+2]
		got := run(t, "", "call", server(t), "summarise", "text=x", "--script", file(t, example))
		got.check(t, 0, "It is short.\n")
		got.says(t, "answered by a-model", "nothing asked for answers[0] (resolution), answers[1] (duplicate)")
	}
}

func TestVersion(t *testing.T) {
	got := run(t, "", "version")
	if !regexp.MustCompile(`^parley \S+\nengine: WebAssembly, ABI \d+, \d+ bytes; protocol 2026-07-28\ngo\S+ \S+/\S+\n$`).MatchString(got.stdout) {
		t.Errorf("got %q", got.stdout)
	}
}

// TestRootURI names a directory whose path needs escapes.
func TestRootURI(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "50% off #1 é?")
	if os.Mkdir(dir, 0o700) != nil {
		t.Skip("this file system has no such names")
	}
	got := run(t, "", "call", server(t), "list_files", "--root", dir)
	want := fmt.Sprintf("50%% off #1 é? (%s/50%%25%%20off%%20%%231%%20%%C3%%A9%%3F)\n", fileURI(filepath.Dir(dir)))
	got.check(t, 0, want)
}
