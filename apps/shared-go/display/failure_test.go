package display_test

import (
	"errors"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/sentence"
)

func TestReason(t *testing.T) {
	lost := func(detail string) error { return &parley.Error{Code: fault.Lost, Detail: detail} }
	doubt := func(detail string) error { return &parley.Error{Code: fault.InDoubt, Detail: detail} }
	late := sentence.Say("{0} ({1})", "no answer within 5000 ms", "a response came with the id 7, which fits no request")
	rpc := func(code fault.Code, object string) error {
		return &parley.Error{Code: code, Response: []byte(object)}
	}
	tests := map[string]struct {
		err  error
		want string
	}{
		"no call":         {errors.New("a\x1b"), "a␛"},
		"not begun":       {&engine.Error{Code: fault.Options, Detail: "the call goes on in a protocol version"}, "the call goes on in a protocol version"},
		"RPC":             {rpc(fault.RPC, `{"code":-32603,"message":"out of\u001b order","data":{"a":1}}`), `the desk answered with error -32603: out of␛ order {"a":1}`},
		"RPC, no data":    {rpc(fault.RPC, `{"code":1,"message":"no","Message":"yes","data":null}`), "the desk answered with error 1: no"},
		"state":           {rpc(fault.State, `{"code":-32602,"message":"what call?"}`), "the desk answered with error -32602: what call? (it does not go on from where it was, maybe because the answers came too late)"},
		"another version": {&parley.Error{Code: fault.State, Detail: "the server now speaks a version in which the call cannot go on; start over"}, "the server now speaks a version in which the call cannot go on; start over"},
		"task":            {rpc(fault.Task, `{"code":1,"message":"no"}`), "the task at the desk ended with error 1: no"},
		"task, silent":    {&parley.Error{Code: fault.Task, Detail: "it failed"}, "the task at the desk came to nothing: it failed"},
		"late":            {&parley.Error{Code: fault.LegTimeout}, "no answer from the desk in time"},
		"lost":            {&parley.Error{Code: fault.Lost, Detail: "it broke"}, "no answer from the desk: it broke"},
		"authorization":   {&parley.Error{Code: fault.Unauthorized, Detail: "the server wants authorization (HTTP status 401)"}, "the desk wants you to sign in: the server wants authorization (HTTP status 401)"},
		"forbidden":       {lost("it was not carried out: HTTP status 403 (the server does not allow it): the server says “no”"), "the desk answered with HTTP status 403 Forbidden (the server does not allow it): the server says “no”"},
		"not now":         {&parley.Error{Code: fault.Unauthorized, Detail: "nobody signed in: the asker failed", Cause: errors.New("you did not sign in")}, "you did not sign in"},
		"unauthorized":    {&parley.Error{Code: fault.Unauthorized, Detail: "HTTP status 401"}, "the desk wants you to sign in: HTTP status 401"},
		"to initialize":   {lost("it was not carried out: initialize: HTTP status 400; before that: HTTP status 404 (is this the server's MCP endpoint?)"), "the desk answered initialize with HTTP status 400 Bad Request; before that: HTTP status 404 Not Found (is this the server's MCP endpoint?)"},
		"no such status":  {lost("HTTP status 599"), "the desk answered with HTTP status 599"},
		"refused by code": {lost("it was not carried out: initialize: JSON-RPC error -32602: the server says “2024-11-05 only”"), "the desk answered initialize with JSON-RPC error -32602: the server says “2024-11-05 only”"},
		"another id":      {&parley.Error{Code: fault.LegTimeout, Detail: late.String(), Sentence: late}, "no answer from the desk in time (a response came with the id 7, which fits no request)"},
		"in doubt":        {doubt("it cannot be told whether the tool has run; it is called again only on request: HTTP status 500"), "the desk answered with HTTP status 500 Internal Server Error"},
		"no code":         {&parley.Error{Code: fault.RPC, Detail: "JSON-RPC error without a code: the server says “no”"}, "the desk answered with JSON-RPC error without a code: the server says “no”"},
		"refused":         {&parley.Error{Code: fault.Refused, Cause: errors.New("nobody is here")}, "nobody is here"},
		"engine's limit":  {&parley.Error{Code: fault.Limit, Detail: "more bytes than limits.message allows"}, fault.Limit.String() + ": more bytes than parley takes"},
		"a limit":         {&parley.Error{Code: fault.Limit, Detail: "the response has 1048577 bytes, and limits.response allows 1048576"}, fault.Limit.String() + ": the response has 1048577 bytes, and 1 MiB is the most that parley takes"},
		"a long message":  {&parley.Error{Code: fault.Lost, Detail: "the response is longer than 65 MiB (MaxMessage)"}, "no answer from the desk: the response is longer than 65 MiB, the most that parley takes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := display.Reason("the desk", tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
