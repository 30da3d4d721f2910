package forms_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/tests/interop"
)

// server is a program on an SDK that asks with the types drawn by the seed, which is its argument. Its tool types lists them,
// ask asks with one and says "taken" once the SDK and the type took the answer.
type server struct {
	name    string
	types   string // what they are made with
	version func() string
	make    func(t *testing.T) []string // its command, once what it needs is there
	legacy  bool                        // it asks by requests of its own, in the era before 2026-07-28
	other   string                      // the tool that asks with types that the SDK's own way to ask refuses, if it is another

	late bool // it says that its own way to ask refuses a type once that is answered

	// limit is why the SDK takes no such value in an answer, although the form asks for it; "" if it does.
	limit func(f *form.Field, value any) string
}

// The files that pin what comes from PyPI: two versions of the SDK cannot be in one environment.
const (
	sdk1 = "python/sdk1.txt"
	sdk2 = "../servers/python/requirements.txt"
)

var servers = []server{
	{
		name: "Python SDK 1, ctx.elicit", types: "pydantic", version: pinnedBy(sdk1, `(?m)^mcp==(\S+)`), make: python(sdk1, "python/sdk1.py"),
		legacy: true, limit: listsOfStrings,
	},
	{
		name: "Python SDK 2, resolvers", types: "pydantic", version: pinnedBy(sdk2, `(?m)^mcp==(\S+)`), make: python(sdk2, "python/sdk2.py"),
		other: "ask_by_schema", limit: listsOfStrings,
	},
	{
		name: "FastMCP, ctx.elicit", types: "pydantic", version: pinnedBy(sdk2, `(?m)^fastmcp==(\S+)`), make: python(sdk2, "python/fastmcp_forms.py"),
		legacy: true, limit: listsOfStrings,
	},
	{
		name: "TypeScript SDK 1, elicitInput", types: "zod", version: npmVersion("sdk"), make: node("sdk1.js"), legacy: true, limit: ofAjv,
	},
	{
		name: "TypeScript SDK 2, inputRequired", types: "zod", version: npmVersion("server"), make: node("sdk2.js"),
	},
	{
		name: "TypeScript SDK 2, inputRequired, asked for 2025-11-25", types: "zod", version: npmVersion("server"), make: node("sdk2.js"), legacy: true,
		limit: ofContent,
	},
	{
		name: "go-sdk, rounds", types: "structs", version: goSDK, make: gosdk(),
	},
	{
		name: "go-sdk, Elicit", types: "structs", version: goSDK, make: gosdk("elicit"), legacy: true, late: true,
	},
	{
		name: "rmcp, elicit", types: "schemars", version: pinnedBy("../interop/rust/Cargo.lock", `name = "rmcp"\nversion = "([^"]+)"`), make: rust,
		legacy: true,
	},
}

// listsOfStrings is what both versions of the Python SDK say of an answer: numbers in a list are refused, before the form's type is
// looked at.
func listsOfStrings(_ *form.Field, value any) string {
	if list, ok := value.([]any); ok {
		for _, one := range list {
			if _, ok := one.(string); !ok {
				return "a list of numbers"
			}
		}
	}
	return ""
}

// ofContent is what the TypeScript SDKs say where a server asks by requests of its own: null is refused, too.
func ofContent(f *form.Field, value any) string {
	if value == nil {
		return "null"
	}
	return listsOfStrings(f, value)
}

// ofAjv is what the TypeScript SDK 1 says, beside that: it has ajv divide floating point numbers.
func ofAjv(f *form.Field, value any) string {
	if n, ok := value.(float64); ok && f.MultipleOf != "" {
		step, _ := rational(f.MultipleOf).Float64()
		if n/step != math.Trunc(n/step) {
			return "a number like 0.07 of which ajv says that it is no multiple of 0.01"
		}
	}
	return ofContent(f, value)
}

func seeded() string { return strconv.FormatUint(*seed, 10) }

// python is a program of an environment that a file of requirements makes.
func python(requirements, program string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		path := setUp(t, "../../examples/python-server/setup.sh", requirements)
		// That one has Parley in it; the environment under it has not.
		environment := path[:strings.LastIndex(filepath.Dir(filepath.Dir(path)), "-")]
		return []string{environment + "/bin/python", program, seeded()}
	}
}

var goSDK = pinnedBy("../go.mod", `(?m)^\tgithub.com/modelcontextprotocol/go-sdk v(\S+)`)

func gosdk(way ...string) func(*testing.T) []string {
	return func(*testing.T) []string { return append([]string{filepath.Join(work, "gosdk"), seeded()}, way...) }
}

func node(program string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		setUp(t, "../../hosts/js/npm-install.sh", "npm")
		return []string{"node", "npm/" + program, seeded()}
	}
}

// rust is the server in the crate of tests/interop.
func rust(t *testing.T) []string {
	if *seed != 33 {
		t.Skip("rust/build.rs has a seed of its own")
	}
	interop.SetUp(t, "rust")
	return []string{"../interop/run.sh", "--ready", "forms", "rust"}
}

// setUp runs a script that installs something, once, and returns what it prints.
func setUp(t *testing.T, script ...string) string {
	t.Helper()
	once, _ := setUps.LoadOrStore(strings.Join(script, " "), sync.OnceValues(func() (string, error) {
		var log strings.Builder
		cmd := exec.Command(script[0], script[1:]...)
		cmd.Stderr = &log
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%s: %w\n%s", strings.Join(script, " "), err, log.String())
		}
		return strings.TrimSpace(string(out)), err
	}))
	out, err := once.(func() (string, error))()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out
	case os.Getenv("CI") != "true" && errors.As(err, &exit):
		t.Skip(err)
	}
	t.Fatal(err)
	return ""
}

var setUps sync.Map // commands to func() (string, error)

// pinnedBy is the version that a file pins: the text that the pattern's group finds.
func pinnedBy(file, pattern string) func() string {
	return func() string {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			panic(file + " has no " + pattern)
		}
		return string(found[1])
	}
}

func npmVersion(name string) func() string {
	return pinnedBy("npm/package-lock.json", `"node_modules/@modelcontextprotocol/`+name+`": \{\s+"version": "([^"]+)"`)
}
