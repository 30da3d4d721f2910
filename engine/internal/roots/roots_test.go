package roots_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/internal/roots"
	"github.com/parley-mcp/parley/rawjson"
)

func TestCheckResult(t *testing.T) {
	list := func(n int) string { return strings.Repeat(`,{"uri":"file:///a"}`, n)[1:] }
	tests := map[string]struct{ result, want string }{
		"specification example": {`{"roots":[{"uri":"file:///home/user/projects/myproject","name":"My Project"}]}`, ""},
		"no roots":              {`{"roots":[]}`, ""},
		"two":                   {`{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}`, ""},
		"escaped":               {`{"roots":[{"uri":"file:\/\/\/\u0061"}]}`, ""},
		"unknown members":       {`{"roots":[{"uri":"file:///a","_meta":{},"x":null}],"_meta":{}}`, ""},
		"as many as allowed":    {`{"roots":[` + list(roots.Max) + `]}`, ""},
		"one too many":          {`{"roots":[` + list(roots.Max+1) + `]}`, "roots[1024] is one root more than the 1024 allowed"},
		"not an object":         {`["SECRET"]`, "is not an object"},
		"roots missing":         {`{"root":["SECRET"]}`, "roots is missing"},
		"roots null":            {`{"roots":null}`, "roots is not an array"},
		"roots an object":       {`{"roots":{"uri":"file:///SECRET"}}`, "roots is not an array"},
		"root a string":         {`{"roots":["file:///SECRET"]}`, "roots[0] is not an object"},
		"uri missing":           {`{"roots":[{"uri":"file:///a"},{"name":"SECRET"}]}`, "roots[1].uri is missing"},
		"uri null":              {`{"roots":[{"uri":null}]}`, "roots[0].uri is not of type string"},
		"name":                  {`{"roots":[{"uri":"file:///a","name":"Söme näme"}]}`, ""},
		"name null":             {`{"roots":[{"uri":"file:///a","name":null}]}`, "roots[0].name is not of type string"},
		"name a number":         {`{"roots":[{"uri":"file:///a","name":1}]}`, "roots[0].name is not of type string"},
		"uri a surrogate":       {`{"roots":[{"uri":"file:///SECRET\ud800"}]}`, "roots[0].uri is not Unicode text"},
		"uri that climbs":       {`{"roots":[{"uri":"file:///a"},{"uri":"file:///SECRET/../b"}]}`, "roots[1].uri has a .. segment"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if err := rawjson.Strict([]byte(tt.result)); err != nil {
				t.Fatal(err)
			}
			if got := roots.CheckResult([]byte(tt.result)).String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCheckResultURI(t *testing.T) {
	const (
		scheme    = "does not begin with file://"
		character = "has a character that must be percent-encoded"
		host      = "has a host that is not a name; file:/// means no host"
		escape    = "has a percent sign without two hexadecimal digits"
		null      = "has an encoded null character"
		climbs    = "has a .. segment"
		noPath    = "has no path"
	)
	tests := map[string]struct{ uri, want string }{
		"path":                            {"file:///home/user", ""},
		"directory":                       {"file:///home/user/", ""},
		"everything":                      {"file:///", ""},
		"localhost":                       {"file://localhost/home", ""},
		"another machine":                 {"file://server/share/dir", ""},
		"subsystem":                       {"file://wsl.localhost/Ubuntu/home", ""},
		"older subsystem":                 {"file://wsl$/Ubuntu/home", ""},
		"drive":                           {"file:///C:/Users", ""},
		"drive with an encoded colon":     {"file:///c%3A/Users", ""},
		"encoded space and letters":       {"file:///a%20b/%C3%A9", ""},
		"encoded question mark":           {"file:///c%23/%3f", ""},
		"what pathToFileURL leaves as is": {"file:///a/[slug]/(b)/~c/@d/e'f/g|h/i;j=k,l!$&*+", ""},
		"dot segment":                     {"file:///a/./b", ""},
		"three dots":                      {"file:///a/.../b", ""},
		"dots in a name":                  {"file:///a/..b/c../d..e", ""},
		"encoded percent":                 {"file:///a/%252e%252e/b", ""},
		"two slashes":                     {"file:///a//b", ""},
		"at sign in the path":             {"file:///a@b:c", ""},

		"empty":                    {"", scheme},
		"path alone":               {"/home/user", scheme},
		"one slash":                {"file:/home/user", scheme},
		"no slash":                 {"file:home", scheme},
		"scheme in capitals":       {"FILE:///home", scheme},
		"https":                    {"https://example.com/", scheme},
		"space before":             {" file:///home", scheme},
		"other scheme":             {"vscode-remote://host/a", scheme},
		"space":                    {"file:///a b", character},
		"tab":                      {"file:///a\tb", character},
		"delete":                   {"file:///a\x7f", character},
		"letter of another script": {"file:///é", character},
		"letter in the host":       {"file://é/a", character},
		"backslash":                {`file:///C:\Users`, character},
		"backslash in the host":    {`file://\\server\share`, character},
		"query":                    {"file:///a?b", character},
		"fragment":                 {"file:///c#/src", character},
		"drive for a host":         {"file://C:/Users", host},
		"port":                     {"file://server:445/share", host},
		"user":                     {"file://user@server/share", host},
		"encoded host":             {"file://wsl%24/Ubuntu", host},
		"encoded slash in a host":  {"file://a%2F..%2Fb", host},
		"IPv6":                     {"file://[::1]/a", host},
		"percent at the end":       {"file:///a%", escape},
		"one digit at the end":     {"file:///a%4", escape},
		"no digits":                {"file:///a%zz", escape},
		"one digit":                {"file:///a%4g", escape},
		"encoded null":             {"file:///a%00.txt", null},
		"two dots":                 {"file:///a/../b", climbs},
		"two dots first":           {"file:///../b", climbs},
		"two dots last":            {"file:///a/..", climbs},
		"two dots and a slash":     {"file:///a/../", climbs},
		"two dots for a host":      {"file://../a", climbs},
		"encoded dots":             {"file:///a/%2e%2E/b", climbs},
		"one encoded dot":          {"file:///a/.%2e/b", climbs},
		"encoded slashes":          {"file:///a%2F..%2fb", climbs},
		"encoded backslashes":      {"file:///a%5C..%5cb", climbs},
		"all encoded":              {"file:///a%2f%2e%2e", climbs},
		"nothing":                  {"file://", noPath},
		"host alone":               {"file://home", noPath},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "roots[0].uri " + want
			}
			if got := check(tt.uri); got != want {
				t.Errorf("%s: got %q, want %q", tt.uri, got, want)
			}
		})
	}
}

func check(uri string) string {
	return roots.CheckResult(append(rawjson.AppendQuoted([]byte(`{"roots":[{"uri":`), uri), `}]}`...)).String()
}

// FuzzURI holds what is accepted against net/url, and that every path which
// net/url writes as a uri is accepted unless it climbs.
func FuzzURI(f *testing.F) {
	for _, seed := range []string{"file:///a/b", "file://host/a", "file:///%2e%2e", "file:///a%2F..", "file:///[a]|^", "/a b/ü?#%/..c", "/a\\..\\b", "file://a:b/"} {
		f.Add(seed)
	}
	climbs := func(path string) bool {
		return slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), "..")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if check(text) == "" {
			host, path, _ := strings.Cut(strings.TrimPrefix(text, "file://"), "/")
			if decoded, err := url.PathUnescape("/" + path); err != nil || climbs(decoded) || strings.Contains(decoded, "\x00") {
				t.Fatalf("accepted %q, the path %q (%v)", text, decoded, err)
			}
			if u, err := url.Parse("file://" + host + "/"); err == nil && (u.Host != host || u.User != nil) {
				t.Fatalf("accepted %q, whose host is %q", text, u.Host)
			}
			return
		}
		if strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && !strings.Contains(text, "\x00") && !climbs(text) {
			if fault := check("file://" + (&url.URL{Path: text}).EscapedPath()); fault != "" {
				t.Fatalf("refused the path %q: %s", text, fault)
			}
		}
	})
}

var faultForm = regexp.MustCompile(`^(is not an object|roots (is missing|is not an array)|roots\[\d+\] (is not an object|is one root more than the 1024 allowed)|` +
	`roots\[\d+\]\.(uri is missing|(uri|name) is not of type string|uri (is not Unicode text|does not begin with file://|has a character that must be percent-encoded|` +
	`has a host that is not a name; file:/// means no host|has a percent sign without two hexadecimal digits|has an encoded null character|has a .. segment|has no path)))$`)

func FuzzCheckResult(f *testing.F) {
	for _, seed := range []string{``, `{`, `{"roots":[{"uri":"file:///a","name":"b"}]}`, `{"roots":[{"uri":"file:///\ud800"}]}`, `{"roots":[{"uri":"file:///%`, `{"roots":[1,{}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if fault := roots.CheckResult(data).String(); fault != "" && !faultForm.MatchString(fault) {
			t.Fatalf("CheckResult(%q): fault %q has an unknown form", data, fault)
		}
	})
}
