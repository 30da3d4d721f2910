package servers_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// published are the published servers that have one transport.
var published = []server{
	{
		name: "server-filesystem", version: npmVersion("@modelcontextprotocol/server-filesystem"), make: npm("mcp-server-filesystem"),
		args: []string{"$DIR"}, speaks: "2025-11-25", wraps: "content", prepare: files, listing: listing{tools: fileTools}, calls: fileCalls,
	},
	{
		name: "server-filesystem, by roots", version: npmVersion("@modelcontextprotocol/server-filesystem"), make: npm("mcp-server-filesystem"),
		speaks: "2025-11-25", wraps: "content", prepare: files, roots: true, asksRoots: true, listing: listing{tools: fileTools}, calls: rootCalls,
	},
	{
		name: "server-memory", version: npmVersion("@modelcontextprotocol/server-memory"), make: npm("mcp-server-memory"),
		env: []string{"MEMORY_FILE_PATH=$DIR/memory.jsonl"}, speaks: "2025-11-25", calls: memoryCalls,
		listing: listing{tools: []string{"create_entities", "create_relations", "add_observations", "delete_entities", "delete_observations",
			"delete_relations", "read_graph", "search_nodes", "open_nodes"}, resources: []string{"memory://knowledge-graph"}},
	},
	{
		name: "mcp-server-time", version: pythonVersion(requirements, "mcp-server-time"), make: python(requirements, "mcp-server-time"),
		speaks: "2026-07-28", listing: listing{tools: []string{"get_current_time", "convert_time"}},
		calls: []call{
			{
				tool: "get_current_time", arguments: `{"timezone":"Europe/Oslo"}`, has: []string{`"timezone": "Europe/Oslo"`, `"is_dst": `},
				structured: sameJSONAsText,
			},
			{
				tool: "convert_time", arguments: `{"source_timezone":"Etc/UTC","time":"12:30","target_timezone":"Asia/Tokyo"}`,
				has: []string{"T21:30:00+09:00", `"time_difference": "+9.0h"`}, structured: sameJSONAsText,
			},
			{
				tool: "convert_time", name: "on Mars", arguments: `{"source_timezone":"Mars","time":"12:30","target_timezone":"Asia/Tokyo"}`,
				has: []string{"Invalid timezone"}, fails: true,
			},
		},
	},
	{
		name: "mcp-server-git", version: pythonVersion(requirements, "mcp-server-git"), make: python(requirements, "mcp-server-git"),
		args: []string{"--repository", "$DIR"}, speaks: "2026-07-28", prepare: repository, calls: gitCalls,
		listing: listing{tools: []string{"git_status", "git_diff_unstaged", "git_diff_staged", "git_diff", "git_commit", "git_add", "git_reset",
			"git_log", "git_create_branch", "git_checkout", "git_show", "git_branch"}},
	},
	{
		// Without Node on its PATH it reads pages by itself: with Node it would install packages from npm while it runs.
		name: "mcp-server-fetch", version: pythonVersion(requirements, "mcp-server-fetch"), make: python(requirements, "mcp-server-fetch"),
		args: []string{"--allow-private-ips"}, env: []string{"PATH=/nowhere"}, speaks: "2026-07-28",
		listing: listing{tools: []string{"fetch"}, prompts: []string{"fetch"}},
		calls: []call{
			{tool: "fetch", arguments: `{"url":"$WEB/page"}`, text: "Contents of $WEB/page:\nTea\n\n# On tea\n\nTea is made of leaves."},
			{
				tool: "fetch", name: "raw, in parts", arguments: `{"url":"$WEB/page","raw":true,"max_length":20}`,
				has: []string{"<html><head><title>T\n", "start_index of 20"},
			},
			{
				tool: "fetch", name: "against robots.txt", arguments: `{"url":"$WEB/private"}`, has: []string{"robots.txt", "Disallow: /private"},
				fails: true,
			},
			{prompt: "fetch", arguments: `{"url":"$WEB/private"}`, has: []string{"Tea is made of leaves."}},
		},
	},
}

// everything is the reference server in one way of running it.
func everything(s server) server {
	s.name, s.version = "server-everything", npmVersion("@modelcontextprotocol/server-everything")
	s.make, s.env = npm("mcp-server-everything"), []string{"SERVERS=here"}
	s.speaks, s.sampling, s.roots, s.asksRoots, s.listsByClient, s.logsAside = "2025-11-25", true, true, true, true, true
	s.listing = listing{
		tools: []string{"echo", "get-annotated-message", "get-env", "get-resource-links", "get-resource-reference", "get-structured-content",
			"get-sum", "get-tiny-image", "gzip-file-as-resource", "toggle-simulated-logging", "toggle-subscriber-updates",
			"trigger-long-running-operation", "simulate-research-query", "get-roots-list", "trigger-elicitation-request",
			"trigger-url-elicitation", "trigger-sampling-request"},
		prompts:   []string{"simple-prompt", "args-prompt", "completable-prompt", "resource-prompt"},
		templates: []string{"demo://resource/dynamic/text/{resourceId}", "demo://resource/dynamic/blob/{resourceId}"},
	}
	s.calls = slices.Clone(everyCalls)
	for _, page := range []string{"architecture", "extension", "features", "how-it-works", "instructions", "startup", "structure"} {
		uri := "demo://resource/static/document/" + page + ".md"
		s.resources = append(s.resources, uri)
		s.calls = append(s.calls, call{resource: uri, has: []string{"# Everything Server"}})
	}
	return s
}

var everyCalls = []call{
	{tool: "echo", arguments: `{"message":"hi"}`, text: "Echo: hi"},
	{
		tool: "get-annotated-message", arguments: `{"messageType":"error","includeImage":true}`, has: []string{"Error: Operation failed"},
		holds: []string{`"priority":1`, `"image/png"`},
	},
	{tool: "get-env", has: []string{`"SERVERS": "here"`}},
	{
		tool: "get-resource-links", arguments: `{"count":2}`, has: []string{"Here are 2 resource links"},
		holds: []string{`"resource_link"`, `demo://resource/dynamic/text/2`},
	},
	{
		tool: "get-resource-reference", arguments: `{"resourceType":"Text","resourceId":3}`,
		has: []string{"Resource 3: This is a plaintext resource", "demo://resource/dynamic/text/3"},
	},
	{
		tool: "get-structured-content", arguments: `{"location":"Chicago"}`, has: []string{"Light rain / drizzle"},
		structured: `{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}`,
	},
	{tool: "get-sum", arguments: `{"a":1,"b":2.5}`, text: "The sum of 1 and 2.5 is 3.5."},
	{tool: "get-tiny-image", has: []string{"The image above is the MCP logo."}, holds: []string{`"type":"image"`, `"data":"iVBORw0KGgo`}},
	{
		tool: "gzip-file-as-resource", arguments: `{"name":"a.gz","data":"data:text/plain,hello","outputType":"resource"}`,
		holds: []string{`"application/gzip"`, `"blob":"H4sI`},
	},
	{tool: "toggle-simulated-logging", has: []string{"Started simulated"}},
	{tool: "toggle-subscriber-updates", has: []string{"Started simulated resource updated notifications"}},
	{
		tool: "trigger-long-running-operation", arguments: `{"duration":0.3,"steps":3}`,
		text: "Long running operation completed. Duration: 0.3 seconds, Steps: 3.", steps: 3,
	},
	{
		tool: "simulate-research-query", arguments: `{"topic":"python","ambiguous":true}`, task: true,
		forms: []form{{`{"interpretation":"snake"}`}}, asks: []string{"form"}, has: []string{"# Research Report: python (snake)"},
	},
	{tool: "get-roots-list", has: []string{"Current MCP Roots (1 total)", "file://$DIR"}},
	{
		tool: "trigger-elicitation-request", forms: []form{{`{"name":"Ada","email":"ada@example.com","integer":7,"untitledMultipleSelectEnum":["Piano"]}`}},
		asks: []string{"form"}, has: []string{"- Name: Ada", "- Favorite Integer: 7", `"Piano"`},
	},
	{tool: "trigger-elicitation-request", name: "declined", forms: []form{{}}, asks: []string{"form"}, has: []string{"User declined"}},
	{
		tool: "trigger-url-elicitation", arguments: `{"url":"http://127.0.0.1:1/pay"}`, asks: []string{"page"},
		has: []string{"User completed the URL elicitation flow", "http://127.0.0.1:1/pay"},
	},
	{
		tool: "trigger-url-elicitation", name: "by an error", arguments: `{"url":"http://127.0.0.1:1/pay","errorPath":true}`,
		// The first page is asked about again: the server does not say that it was visited.
		asks: []string{"page", "page", "page"}, has: []string{"User completed the URL elicitation flow"},
	},
	{tool: "trigger-sampling-request", arguments: `{"prompt":"` + prompt + `","maxTokens":50}`, asks: []string{"sampling"}, has: []string{sampled}},
	{prompt: "simple-prompt", text: "This is a simple prompt without arguments."},
	{prompt: "args-prompt", arguments: `{"city":"Austin","state":"Texas"}`, text: "What's weather in Austin, Texas?"},
	{prompt: "completable-prompt", arguments: `{"department":"Sales","name":"Eve"}`, text: "Please promote Eve to the head of the Sales team."},
	{
		prompt: "resource-prompt", arguments: `{"resourceType":"Text","resourceId":"5"}`,
		has: []string{"the Text resource with id: 5", "Resource 5: This is a plaintext resource"},
	},
	{resource: "demo://resource/dynamic/text/3", has: []string{"Resource 3: This is a plaintext resource"}},
	{resource: "demo://resource/dynamic/blob/3", holds: []string{`"blob":"UmVzb3VyY2UgMzog`}},
}

// What server-filesystem works on.
const (
	dot  = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
	odd  = "a\ttab\r\nand \u200bmore\r\n\n\n  the end \n\n"
	line = "The quick brown fox jumps over the lazy dog, again and again, until the line is long enough.\n"
)

var long = strings.Repeat(line, 5000)

func files(dir string) error {
	picture, _ := base64.StdEncoding.DecodeString(dot)
	return errors.Join(
		os.Mkdir(filepath.Join(dir, "sub"), 0o700),
		os.WriteFile(filepath.Join(dir, "sub", "b.txt"), []byte("b\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\nthree\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "odd.txt"), []byte(odd), 0o600),
		os.WriteFile(filepath.Join(dir, "long.txt"), []byte(long), 0o600),
		os.WriteFile(filepath.Join(dir, "dot.png"), picture, 0o600))
}

// content looks whether a file has a text.
func content(name, want string) func(string) error {
	return func(dir string) error {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil && string(got) != want {
			err = fmt.Errorf("%s: got %q, want %q", name, got, want)
		}
		return err
	}
}

var fileTools = []string{"read_file", "read_text_file", "read_media_file", "read_multiple_files", "write_file", "edit_file", "create_directory",
	"list_directory", "list_directory_with_sizes", "directory_tree", "move_file", "search_files", "get_file_info", "list_allowed_directories"}

var fileCalls = []call{
	{tool: "list_allowed_directories", text: "Allowed directories:\n$DIR"},
	{tool: "read_file", arguments: `{"path":"$DIR/a.txt","head":1}`, text: "one"},
	{tool: "read_text_file", arguments: `{"path":"$DIR/a.txt"}`, text: "one\ntwo\nthree\n"},
	{tool: "read_text_file", name: "odd", arguments: `{"path":"$DIR/odd.txt"}`, text: odd},
	{tool: "read_text_file", name: "long", arguments: `{"path":"$DIR/long.txt"}`, text: long},
	{tool: "read_text_file", name: "elsewhere", arguments: `{"path":"/etc/hostname"}`, has: []string{"Access denied", "not in $DIR"}, fails: true},
	{
		tool: "read_media_file", arguments: `{"path":"$DIR/dot.png"}`, holds: []string{`"type":"image"`},
		structured: `{"content":[{"type":"image","data":"` + dot + `","mimeType":"image/png"}]}`,
	},
	{
		tool: "read_multiple_files", arguments: `{"paths":["$DIR/a.txt","$DIR/sub/b.txt"]}`,
		has: []string{"$DIR/a.txt:\none\ntwo\nthree\n", "$DIR/sub/b.txt:\nb\n"},
	},
	{
		tool: "write_file", arguments: `{"path":"$DIR/new.txt","content":"tabs\tand\nlines\n"}`,
		text: "Successfully wrote to $DIR/new.txt", after: content("new.txt", "tabs\tand\nlines\n"),
	},
	{
		tool: "edit_file", arguments: `{"path":"$DIR/a.txt","edits":[{"oldText":"two","newText":"2"}]}`,
		has: []string{"--- $DIR/a.txt\toriginal\n", "\n-two\n+2\n"}, after: content("a.txt", "one\n2\nthree\n"),
	},
	{tool: "create_directory", arguments: `{"path":"$DIR/dir/deep"}`, text: "Successfully created directory $DIR/dir/deep"},
	{
		tool: "move_file", arguments: `{"source":"$DIR/new.txt","destination":"$DIR/dir/deep/new.txt"}`,
		text: "Successfully moved $DIR/new.txt to $DIR/dir/deep/new.txt", after: content("dir/deep/new.txt", "tabs\tand\nlines\n"),
	},
	{tool: "list_directory", arguments: `{"path":"$DIR/dir"}`, text: "[DIR] deep"},
	{tool: "list_directory_with_sizes", arguments: `{"path":"$DIR/sub"}`, has: []string{"[FILE] b.txt", "2 B", "Total: 1 files, 0 directories"}},
	{tool: "directory_tree", arguments: `{"path":"$DIR/dir"}`, has: []string{`"name": "deep"`, `"name": "new.txt"`}},
	{tool: "search_files", arguments: `{"path":"$DIR","pattern":"**/b.*"}`, text: "$DIR/sub/b.txt"},
	{tool: "get_file_info", arguments: `{"path":"$DIR/dot.png"}`, has: []string{"size: 68\n", "isFile: true"}},
}

// rootCalls are made where the client's roots say what may be used.
var rootCalls = []call{
	{tool: "list_allowed_directories", text: "Allowed directories:\n$DIR"},
	{tool: "read_text_file", arguments: `{"path":"$DIR/a.txt"}`, text: "one\ntwo\nthree\n"},
	{
		tool: "write_file", arguments: `{"path":"$DIR/new.txt","content":"new"}`, text: "Successfully wrote to $DIR/new.txt",
		after: content("new.txt", "new"),
	},
}

const twoPeople = `{"entities":[
	{"name":"Ada","entityType":"person","observations":["likes tea"]},
	{"name":"Bob","entityType":"person","observations":[]}
]}`

var memoryCalls = []call{
	{
		tool: "create_entities", arguments: twoPeople, has: []string{"likes tea"}, structured: twoPeople,
	},
	{
		tool: "create_relations", arguments: `{"relations":[{"from":"Ada","to":"Bob","relationType":"knows"}]}`,
		has: []string{"knows"}, structured: `{"relations":[{"from":"Ada","to":"Bob","relationType":"knows"}]}`,
	},
	{
		tool: "add_observations", arguments: `{"observations":[{"entityName":"Bob","contents":["plays chess"]}]}`,
		has: []string{"plays chess"}, structured: `{"results":[{"entityName":"Bob","addedObservations":["plays chess"]}]}`,
	},
	{tool: "search_nodes", arguments: `{"query":"chess"}`, has: []string{`"Bob"`, "plays chess"}, structured: sameJSONAsText},
	{tool: "open_nodes", arguments: `{"names":["Ada"]}`, has: []string{"likes tea"}, structured: sameJSONAsText},
	{
		tool: "delete_observations", arguments: `{"deletions":[{"entityName":"Bob","observations":["plays chess"]}]}`,
		text: "Observations deleted successfully", structured: `{"success":true,"message":"Observations deleted successfully"}`,
	},
	{tool: "read_graph", has: []string{`"Bob"`, "likes tea", "knows"}, structured: sameJSONAsText},
	{resource: "memory://knowledge-graph", has: []string{`"Bob"`, "likes tea", "knows"}},
	{
		tool: "delete_relations", arguments: `{"relations":[{"from":"Ada","to":"Bob","relationType":"knows"}]}`,
		text: "Relations deleted successfully", structured: `{"success":true,"message":"Relations deleted successfully"}`,
	},
	{
		tool: "delete_entities", arguments: `{"entityNames":["Bob"]}`,
		text: "Entities deleted successfully", structured: `{"success":true,"message":"Entities deleted successfully"}`,
		after: content("memory.jsonl", `{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]}`),
	},
}

// repository has a commit, and a change.
func repository(dir string) error {
	for _, command := range [][]string{
		{"init", "--quiet", "--initial-branch", "main"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.com"},
		{"commit", "--quiet", "--allow-empty", "--message", "First"},
	} {
		if _, err := git(dir, command...); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o600); err != nil {
		return err
	}
	if _, err := git(dir, "add", "a.txt"); err != nil {
		return err
	}
	if _, err := git(dir, "commit", "--quiet", "--message", "Second"); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\n"), 0o600)
}

func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return strings.TrimSpace(string(out)), err
}

// gitSays looks what git says.
func gitSays(want string, args ...string) func(string) error {
	return func(dir string) error {
		got, err := git(dir, args...)
		if err == nil && got != want {
			err = fmt.Errorf("git %s: got %q, want %q", strings.Join(args, " "), got, want)
		}
		return err
	}
}

const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n one\n+two"

var gitCalls = []call{
	{tool: "git_status", arguments: `{"repo_path":"$DIR"}`, has: []string{"On branch main", "\tmodified:   a.txt"}},
	{tool: "git_diff_unstaged", arguments: `{"repo_path":"$DIR"}`, has: []string{"Unstaged changes:", diff}},
	{
		tool: "git_add", arguments: `{"repo_path":"$DIR","files":["a.txt"]}`, text: "Files staged successfully",
		after: gitSays("M  a.txt", "status", "--short"),
	},
	{tool: "git_diff_staged", arguments: `{"repo_path":"$DIR"}`, has: []string{"Staged changes:", diff}},
	{
		tool: "git_commit", arguments: `{"repo_path":"$DIR","message":"Third"}`, has: []string{"Changes committed successfully with hash"},
		after: gitSays("Third\nSecond\nFirst", "log", "--format=%s"),
	},
	{tool: "git_log", arguments: `{"repo_path":"$DIR","max_count":2}`, has: []string{"Author: Ada\n", "Message: Third", "Message: Second"}},
	{tool: "git_show", arguments: `{"repo_path":"$DIR","revision":"HEAD"}`, has: []string{"Author: Ada <ada@example.com>", "Third", diff}},
	{tool: "git_show", name: "of nothing", arguments: `{"repo_path":"$DIR","revision":"nope"}`, has: []string{"did not resolve"}, fails: true},
	{tool: "git_create_branch", arguments: `{"repo_path":"$DIR","branch_name":"topic"}`, text: "Created branch 'topic' from 'main'"},
	{
		tool: "git_checkout", arguments: `{"repo_path":"$DIR","branch_name":"topic"}`, text: "Switched to branch 'topic'",
		after: gitSays("topic", "branch", "--show-current"),
	},
	{tool: "git_branch", arguments: `{"repo_path":"$DIR","branch_type":"local"}`, has: []string{"  main\n* topic"}},
	{tool: "git_diff", arguments: `{"repo_path":"$DIR","target":"HEAD~1"}`, has: []string{"Diff with HEAD~1:", diff}},
	{tool: "git_reset", arguments: `{"repo_path":"$DIR"}`, text: "All staged changes reset"},
}
