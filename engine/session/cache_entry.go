package session

import (
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
)

// keyOf names a result: who may see it, then all that it depends on. A server
// may answer differently to other capabilities, or to another client.
func (s *Session) keyOf(l *lookup, private bool, owner string) []byte {
	t := textFrom(s.keyPrefix(l.method, private, owner))
	t.Raw(l.param)
	t.Put(",")
	if s.opts.ClientInfo == nil {
		t.Put("null")
	}
	t.Raw(s.opts.ClientInfo)
	t.Put(",")
	t.Raw(l.request.call.capabilities)
	t.Put("]")
	return t.Dst
}

// keyPrefix is what the keys of all results of a method begin with.
func (s *Session) keyPrefix(method int, private bool, owner string) []byte {
	t := &text{rawjson.NewWriter('[', 0)}
	if private {
		t.Put(owner)
	} else {
		t.Quoted(s.opts.CachedAs)
	}
	t.Put(`,"` + latest + `","` + cacheable[method].method + `",`)
	return t.Dst
}

// entryOf is a result as the host keeps it: with its key, so that another's is
// not taken for it, and with the time at which it came.
func entryOf(key []byte, at int64, result []byte) []byte {
	t := textFrom(make([]byte, 0, len(key)+len(result)+48))
	t.Put(`{"key":`)
	t.Raw(key)
	t.Put(`,"at":`)
	t.Int(at)
	t.Put(`,"result":`)
	t.Raw(result)
	t.Put("}")
	return t.Dst
}

// usable is the response that an entry stands for, nil if it is not the one
// that was looked for, if its time is up or if the server has said since that it
// changed.
func (s *Session) usable(l *lookup, entry []byte) *message.Message {
	span, bad := rawjson.Value(entry)
	if bad != nil || len(entry) > maxEntry || !rawjson.Only(span, "key", "at", "result") {
		return nil
	}
	private := l.asked == 1
	result := rawjson.Member(span, "result")
	at, ok := rawjson.Int(rawjson.Member(span, "at"))
	if !ok || !rawjson.IsObject(result) {
		return nil
	}
	body := &text{}
	body.Put(`{"jsonrpc":"2.0","result":`)
	body.Raw(result)
	body.Put("}")
	in := message.Read(body.Dst, s.most)
	fresh, public := freshness(in)
	if fresh == 0 || private == public || string(rawjson.Member(span, "key")) != string(s.keyOf(l, private, s.owner())) {
		return nil
	}
	if at > s.now+maxAhead || at <= s.markOf(l).at || s.now >= at+fresh {
		return nil
	}
	if in.Err(false) != nil || l.request.call.most > 0 && len(body.Dst) > l.request.call.most {
		return nil
	}
	return in
}

// freshness is how long the server says that a result may be used, in
// milliseconds, and whether anybody may. 0 means not at all: so it is for
// everything but a complete result, and for one that says something twice.
func freshness(in *message.Message) (fresh int64, public bool) {
	if ttl := in.Text(message.TTLMs); rawjson.IsNumber(ttl) {
		if d, isNumber := rawjson.ParseDecimal(string(ttl)); isNumber {
			n, _ := d.Safe()
			fresh = min(n, maxFresh)
		}
	}
	for _, n := range [...]message.Name{message.TTLMs, message.CacheScope, message.ResultType} {
		if in.Again(n) {
			fresh = 0
		}
	}
	isOther := in.Has(message.ResultType) && !rawjson.Is(in.Text(message.ResultType), "complete")
	if isOther || in.Has(message.ResultTypeDraft) || drafts.HasQuestions(in) {
		fresh = 0
	}
	return max(fresh, 0), rawjson.Is(in.Text(message.CacheScope), "public")
}
