package failure_test

import (
	"errors"
	"testing"

	"github.com/parley-mcp/parley/apps/desk/failure"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

func TestReason(t *testing.T) {
	status := func(code int) error {
		return &parley.Error{Code: fault.Lost, Cause: &parley.StatusError{Code: code}}
	}
	rpc := func(code fault.Code, object string) error {
		return &parley.Error{Code: code, Response: []byte(object)}
	}
	tests := map[string]struct {
		err  error
		want string
	}{
		"no call":        {errors.New("a\x1b"), "a␛"},
		"RPC":            {rpc(fault.RPC, `{"code":-32603,"message":"out of\u001b order","data":{"a":1}}`), `the desk answered with error -32603: out of␛ order {"a":1}`},
		"RPC, no data":   {rpc(fault.RPC, `{"code":1,"message":"no","Message":"yes","data":null}`), "the desk answered with error 1: no"},
		"state":          {rpc(fault.State, `{"code":-32602,"message":"what call?"}`), "the desk answered with error -32602: what call? (it does not go on from where it was, maybe because the answers came too late)"},
		"task":           {rpc(fault.Task, `{"code":1,"message":"no"}`), "the task at the desk ended with error 1: no"},
		"task, silent":   {&parley.Error{Code: fault.Task, Detail: "it failed"}, "the task at the desk came to nothing: it failed"},
		"late":           {&parley.Error{Code: fault.LegTimeout}, "no answer from the desk in time"},
		"lost":           {&parley.Error{Code: fault.Lost, Detail: "it broke"}, "no answer from the desk: it broke"},
		"authorization":  {status(401), "the desk answered with HTTP status 401 Unauthorized: it wants authorization that parley cannot give"},
		"forbidden":      {status(403), "the desk answered with HTTP status 403 Forbidden: it does not allow this"},
		"not now":        {&parley.Error{Code: fault.Unauthorized, Detail: "nobody signed in: the asker failed", Cause: errors.New("you did not sign in")}, "you did not sign in"},
		"unauthorized":   {&parley.Error{Code: fault.Unauthorized, Detail: "HTTP status 401"}, "the desk wants you to sign in: HTTP status 401"},
		"too many":       {status(429), "the desk answered with HTTP status 429 Too Many Requests: it has had too many requests; wait a while, then try again"},
		"other status":   {status(500), "the desk answered with HTTP status 500 Internal Server Error"},
		"refused":        {&parley.Error{Code: fault.Refused, Cause: errors.New("nobody is here")}, "nobody is here"},
		"a limit":        {&parley.Error{Code: fault.Limit, Detail: "the response has 1048577 bytes, and limits.response allows 1048576"}, fault.Limit.String() + ": the response has 1048577 bytes, and 1 MiB is the most that parley takes"},
		"a long message": {&parley.Error{Code: fault.Lost, Detail: "the response is longer than 65 MiB (MaxMessage)"}, "no answer from the desk: the response is longer than 65 MiB, the most that parley takes"},
		"engine's limit": {&parley.Error{Code: fault.Limit, Detail: "more bytes than limits.message allows"}, fault.Limit.String() + ": more bytes than parley takes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := failure.Reason("the desk", tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
