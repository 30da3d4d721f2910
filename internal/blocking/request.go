package blocking

import (
	"math"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/rawjson"
)

// request is what a call is asked for with, beside wire's own members.
type request struct {
	now        int64
	clientInfo []byte
	snapshots  bool
	begin      engine.Begin
	rest       []byte // the object of parley_flow_new or parley_flow_restore
}

// requestReader takes a request's own members out of the object.
type requestReader struct {
	request
	m     rawjson.Members
	has   [len(ownMembers)]bool
	fault string
}

var ownMembers = [...]string{"now", "clientInfo", "snapshots", "resend", "again", "moreRounds"}

const ofResume = 3 // ownMembers from here on belong to resume

func readRequest(export string, data []byte) (request, *engine.Error) {
	var r requestReader
	r.rest = append(make([]byte, 0, len(data)+1), '{')
	for r.m.Start(data); r.m.Next(); {
		if !r.own(export) {
			r.rest = joinMember(r.rest, r.m.Name, r.m.Value)
		}
	}
	r.rest = append(r.rest, '}')
	switch {
	case r.m.Err != nil:
		r.refuse(r.m.Err.Error())
	case !r.has[0]:
		r.refuse("now is missing: give the host's clock as Unix time in milliseconds")
	}
	if r.fault != "" {
		return r.request, &engine.Error{Code: engine.ErrOptions, Detail: export + ": " + r.fault}
	}
	return r.request, nil
}

// own reads the current member if it is not wire's.
func (r *requestReader) own(export string) bool {
	for i, name := range ownMembers {
		if !r.m.Is(name) || i >= ofResume && export != "resume" {
			continue
		}
		if r.has[i] {
			r.refuse(name + " comes twice")
		}
		r.has[i] = true
		switch name {
		case "now":
			r.now = r.time()
		case "clientInfo":
			r.clientInfo = r.object(name)
		case "snapshots":
			r.snapshots = r.boolean(name)
		case "resend":
			r.begin.Resend = r.boolean(name)
		case "again":
			r.begin.Again = r.boolean(name)
		case "moreRounds":
			r.begin.MoreRounds = r.count(name)
		}
		return true
	}
	return false
}

func (r *requestReader) refuse(fault string) {
	if r.fault == "" {
		r.fault = fault
	}
}

func (r *requestReader) time() int64 {
	now, ok := rawjson.Int(r.m.Value)
	if !ok || now < 0 {
		r.refuse("now is not the Unix time in milliseconds")
	}
	return now
}

func (r *requestReader) count(name string) int {
	n, ok := rawjson.Int(r.m.Value)
	if !ok || n < 0 || n > math.MaxInt32 {
		r.refuse(name + " is not a number of rounds")
		return 0
	}
	return int(n)
}

func (r *requestReader) boolean(name string) bool {
	if set := string(r.m.Value) == "true"; set || string(r.m.Value) == "false" {
		return set
	}
	r.refuse(name + " is neither true nor false")
	return false
}

// object reads a string that holds a JSON object.
func (r *requestReader) object(name string) []byte {
	if rawjson.IsString(r.m.Value) {
		if text, ok := rawjson.AppendUnquoted(nil, r.m.Value); ok {
			if span, err := rawjson.Value(text); err == nil && rawjson.IsObject(span) {
				return text
			}
		}
	}
	r.refuse(name + " is not a string that holds a JSON object")
	return nil
}
