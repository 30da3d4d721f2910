package engine

import "github.com/parley-mcp/parley/rawjson"

// retry splices the next leg's params: the caller's own members as they stand,
// this round's answers bare and under the server's keys in the server's order,
// and requestState exactly as it came or not at all.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, Client Requirements 1 and 2,
// InputResponses.
func (f *Flow) retry() []byte {
	size := len(f.params) + len(f.state) + len(`"inputResponses":{},"requestState":,`)
	for i := range f.asks {
		size += len(f.asks[i].name) + len(f.asks[i].answer) + 2
	}
	dst := append(make([]byte, 0, size), '{')
	var m rawjson.Members
	for m.StartChecked(f.params); m.Next(); {
		// What the caller seeded belonged to the first leg only.
		if m.Is("inputResponses") || m.Is("requestState") {
			continue
		}
		dst = appendMember(dst, m.Name, m.Value)
	}
	if len(f.asks) > 0 {
		dst = appendName(dst, `"inputResponses":{`)
		for i := range f.asks {
			dst = appendMember(dst, f.asks[i].name, f.asks[i].answer)
		}
		dst = append(dst, '}')
	}
	if f.state != nil {
		dst = appendName(dst, `"requestState":`)
		dst = append(dst, f.state...)
	}
	return append(dst, '}')
}

func appendMember(dst, name, value []byte) []byte {
	dst = appendName(dst, "")
	dst = append(dst, name...)
	dst = append(dst, ':')
	return append(dst, value...)
}

// appendName appends text, after a comma where a member came before.
func appendName(dst []byte, text string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(dst, text...)
}
