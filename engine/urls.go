package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// codeURLRequired is the error by which servers of MCP 2025-11-25 say that urls
// must be opened before they can serve a request.
const codeURLRequired = -32042

// urlRequired asks the person to open the urls that the error names. The
// request is sent again, unchanged, when they are seen to.
//
// Source: MCP 2025-11-25, client/elicitation, URL Elicitation Required Error.
func (f *Flow) urlRequired(object []byte) {
	list := rawjson.Member(rawjson.Member(object, "data"), "elicitations")
	if !rawjson.IsArray(list) {
		f.malformed("the error -32042 has no data.elicitations")
		return
	}
	// As inputRequests they are checked as any question is.
	requests := rawjson.NewWriter('{', 0)
	var e rawjson.Elements
	for e.Start(list); e.Next(); {
		id := rawjson.Member(e.Value, "elicitationId")
		if !rawjson.IsString(id) {
			f.malformed("an entry of data.elicitations has no elicitationId")
			return
		}
		requests.Member(id, []byte(`{"method":"elicitation/create","params":`))
		requests.Raw(e.Value)
		requests.Put("}")
	}
	requests.Put("}")
	f.acceptedBefore = len(f.accepted)
	asks, bad := f.readAsks(requests.Dst)
	switch {
	case bad != nil:
		f.fail(bad.Code, bad.Detail)
		return
	case len(asks) == 0:
		f.malformed("the error -32042 names no url")
		return
	}
	for i := range asks {
		if asks[i].mode != ModeURL {
			f.malformed("an entry of data.elicitations is not of mode url")
			return
		}
	}
	f.inputRequests, f.asks, f.firstAsk = requests.Dst, asks, f.issued+1
	f.consented, f.completed = false, nil
	f.enterRound()
}

// opensURLs reports whether the error -32042 asks for urls, and the questions
// at hand are those. It does not once the request carries answers.
func (f *Flow) opensURLs() bool { return f.dialect.SendsRequests() && !f.looped }

// urlsSettled reports whether the request can be sent again: the person agreed
// to every url, and then each was completed or the person says to go on. It
// asks the latter when the former is done. Agreeing is not completing, and
// some servers never say that it is (client/elicitation, Completion
// Notifications: a client SHOULD offer manual controls).
func (f *Flow) urlsSettled() bool {
	refused := false
	for i := range f.asks {
		if a := &f.asks[i]; !rawjson.Is(rawjson.Member(a.answer, "action"), string(accept)) {
			a.answer, a.shown, refused = nil, false, true // asked again if the call goes on
		}
	}
	if refused {
		f.fail(fault.Refused, "the person did not agree to open a url that the server needs")
		return false
	}
	if f.consented {
		return true
	}
	open := false
	for i := range f.asks {
		if a := &f.asks[i]; !a.repeat && !f.isCompleted(a.key) {
			a.answer, a.shown, open = nil, false, true
		}
	}
	if !open {
		return true
	}
	f.consented = true
	f.acceptedBefore = len(f.accepted)
	for i := range f.asks {
		f.asks[i].repeat = true
	}
	f.firstAsk = f.issued + 1
	f.notBefore = f.now + f.paceRepeat()
	f.showAsks()
	return false
}

func (f *Flow) isCompleted(key string) bool {
	for _, id := range f.completed {
		if id == key {
			return true
		}
	}
	return false
}

// complete takes note that a url was seen to; ids that are unknown are
// ignored.
func (f *Flow) complete(ev relay.Completed) {
	if !f.opensURLs() || f.phase != asking || f.status != live {
		return
	}
	for i := range f.asks {
		a := &f.asks[i]
		if a.key != ev.ElicitationID {
			continue
		}
		if !f.consented {
			if !f.isCompleted(a.key) {
				f.completed = append(f.completed, a.key)
			}
			return
		}
		if a.answer == nil {
			if a.shown {
				f.takeBack(f.firstAsk + i)
			}
			a.answer = []byte(`{"action":"accept"}`)
			f.showAsks()
		}
		return
	}
}
