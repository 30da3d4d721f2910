package servers_test

import (
	"cmp"
	"slices"
	"time"
)

// The files that pin what comes from PyPI. Two versions of the SDK cannot be in one environment.
const (
	requirements = "python/requirements.txt"
	sdk1         = "python/sdk1.txt"
)

var servers = slices.Concat(
	[]server{everything(server{}), everything(server{http: []string{"streamableHttp"}, port: true})},
	published,
	[]server{
		fastMCP(server{speaks: "2026-07-28", key: "booking"}),
		fastMCP(server{speaks: "2026-07-28", key: "booking", http: []string{"--http"}}),
		fastMCP(server{name: "FastMCP, asked for 2025-11-25", speaks: "2025-11-25", pinned: true, http: []string{"--http"}}),
	},
	overBoth(server{
		name: "Python SDK 1, FastMCP", version: pythonVersion(sdk1, "mcp"), make: python(sdk1, "python/sdk1_high.py"),
		speaks: "2025-11-25", wraps: "result",
	}, nil),
	overBoth(server{
		name: "Python SDK 1, low-level", version: pythonVersion(sdk1, "mcp"), make: python(sdk1, "python/sdk1_low.py"),
		speaks: "2025-11-25",
	}, func(s *server) { s.path = "/mcp/" }),
	overBoth(server{
		name: "Python SDK 2, MCPServer", version: pythonVersion(requirements, "mcp"), make: python(requirements, "python/sdk2_high.py"),
		speaks: "2026-07-28", key: "__main__:ask_booking", wraps: "result",
	}, nil),
	overBoth(server{
		name: "Python SDK 2, low-level", version: pythonVersion(requirements, "mcp"), make: python(requirements, "python/sdk2_low.py"),
		speaks: "2026-07-28", key: "booking",
	}, nil),
	overBoth(server{
		name: "TypeScript SDK 1, McpServer", version: npmVersion("@modelcontextprotocol/sdk"), make: npm("sdk1-high.js"),
		speaks: "2025-11-25",
	}, func(s *server) { s.logsAside = true }),
	overBoth(server{
		name: "TypeScript SDK 1, low-level", version: npmVersion("@modelcontextprotocol/sdk"), make: npm("sdk1-low.js"),
		speaks: "2025-11-25",
	}, func(s *server) {
		s.without = "what asks, reports progress or logs: without sessions the SDK drops that"
	}),
	overBoth(server{
		name: "TypeScript SDK 2, McpServer", version: npmVersion("@modelcontextprotocol/server"), make: npm("sdk2-high.js"),
		speaks: "2026-07-28", key: "booking",
	}, nil),
	[]server{onSDK(server{
		name: "TypeScript SDK 2, McpServer, slow to start", version: npmVersion("@modelcontextprotocol/server"), make: slowly(npm("sdk2-high.js")),
		speaks: "2025-11-25", timeout: 30 * time.Second,
	})},
	overBoth(server{
		name: "TypeScript SDK 2, low-level", version: npmVersion("@modelcontextprotocol/server"), make: npm("sdk2-low.js"),
		speaks: "2026-07-28", key: "booking",
	}, nil),
	overBoth(server{
		name: "go-sdk", version: goVersion("github.com/modelcontextprotocol/go-sdk"), make: built("gosdk"),
		speaks: "2026-07-28", key: "booking",
	}, func(s *server) { s.speaks = "2025-11-25" }),
	[]server{onSDK(server{
		name: "go-sdk, stateless", version: goVersion("github.com/modelcontextprotocol/go-sdk"), make: built("gosdk"),
		http: []string{"--http", "--stateless"}, speaks: "2026-07-28", key: "booking",
	})},
	overBoth(server{
		name: "mcp-go", version: goVersion("github.com/mark3labs/mcp-go"), make: built("mcpgo"), speaks: "2026-07-28", key: "booking",
		without: "progress and logs: the library loses some, or sends them after the result",
	}, nil),
	overBoth(server{
		name: "rmcp", version: rustVersion("rmcp"), make: rust, speaks: "2026-07-28", key: "booking",
	}, nil),
)

// fastMCP looks for a newer version of itself when it starts, unless it is told not to.
func fastMCP(s server) server {
	s.name = cmp.Or(s.name, "FastMCP")
	s.version, s.make = pythonVersion(requirements, "fastmcp"), python(requirements, "python/fastmcp_server.py")
	s.env, s.wraps = []string{"FASTMCP_CHECK_FOR_UPDATES=off"}, "result"
	return onSDK(s)
}

// overBoth is a server on an SDK over both transports. differs is what is different over HTTP, nil if nothing is.
func overBoth(s server, differs func(*server)) []server {
	overHTTP := s
	overHTTP.http = []string{"--http"}
	if differs != nil {
		differs(&overHTTP)
	}
	return []server{onSDK(s), onSDK(overHTTP)}
}

// onSDK is a server on an SDK: all of them have the same.
func onSDK(s server) server {
	s.sdk, s.sampling, s.roots = true, true, true
	s.listing = listing{
		tools:   []string{"greet", "weather", "divide", "book", "summarize", "folders", "count"},
		prompts: []string{"review"}, resources: []string{"config://app"}, templates: []string{"users://{id}/name"},
	}
	counts := call{tool: "count", arguments: `{"to":3}`, text: "Counted to 3.", steps: 3, log: "counting to 3"}
	s.calls = []call{
		{tool: "greet", arguments: `{"name":"Ada"}`, text: "Hello, Ada!"},
		{tool: "weather", arguments: `{"city":"Oslo"}`, has: []string{"Oslo", "4.5"}, structured: `{"city":"Oslo","celsius":4.5}`},
		{tool: "divide", arguments: `{"a":1,"b":4}`, text: "0.25", value: "0.25"},
		{tool: "divide", name: "by zero", arguments: `{"a":1,"b":0}`, has: []string{"cannot divide by zero"}, fails: true},
		{tool: "tell", name: "which is no tool", arguments: `{}`, has: []string{"ool"}, refused: true},
		{prompt: "review", arguments: `{"code":"x := 1","language":"Go"}`, text: "Review this Go code: x := 1"},
		{resource: "config://app", text: `{"theme":"dark"}`},
		{resource: "users://7/name", text: "User 7"},
	}
	asks := []call{
		{
			tool: "book", arguments: `{"date":"2026-12-24"}`, forms: []form{{`{"guests":4,"window":true}`}}, asks: []string{"form"},
			text: "Booked for 4 on 2026-12-24.",
		},
		{tool: "book", name: "declined", arguments: `{"date":"2026-12-24"}`, forms: []form{{}}, asks: []string{"form"}, text: "Nothing was booked."},
		{tool: "summarize", arguments: `{"text":"` + prompt + `"}`, asks: []string{"sampling"}, text: "Summary: " + sampled},
		{tool: "folders", asks: []string{"roots"}, has: []string{"file://$DIR"}},
	}
	switch {
	case s.timeout != 0: // each takes long
		s.calls = asks[:1]
	case s.without == "":
		s.calls = append(append(s.calls, asks...), counts)
	case s.name == "mcp-go":
		counts.steps, counts.log = 0, ""
		s.calls = append(append(s.calls, asks...), counts)
	default:
		counts.steps, counts.log = 0, ""
		s.calls = append(s.calls, counts)
	}
	return s
}
