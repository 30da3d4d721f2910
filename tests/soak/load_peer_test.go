package soak_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// linePeer is a server at the other end of a connection: its tool asks two
// questions in two rounds and returns both answers.
func linePeer(conn io.ReadWriteCloser) {
	r := bufio.NewReaderSize(conn, 64<<10)
	var out bytes.Buffer
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			ID     int
			Method string
			Params struct {
				Arguments      struct{ N int }
				RequestState   string
				InputResponses map[string]struct{ Content struct{ Said string } }
			}
		}
		if json.Unmarshal(line, &request) != nil || request.ID == 0 {
			continue
		}
		params := &request.Params
		out.Reset()
		fmt.Fprintf(&out, `{"jsonrpc":"2.0","id":%d,"result":{`, request.ID)
		switch {
		case request.Method == "server/discover":
			out.WriteString(`"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}`)
		case params.RequestState == "":
			loadRound(&out, params.Arguments.N, 1, "first")
		case params.RequestState == "first":
			loadRound(&out, params.Arguments.N, 2, params.InputResponses["1"].Content.Said)
		default:
			fmt.Fprintf(&out, `"resultType":"complete","content":[{"type":"text","text":"%d: %s, %s"}]`,
				params.Arguments.N, params.RequestState, params.InputResponses["2"].Content.Said)
		}
		out.WriteString("}}\n")
		if _, err := conn.Write(out.Bytes()); err != nil {
			return
		}
	}
}

func loadRound(out *bytes.Buffer, n, round int, state string) {
	fmt.Fprintf(out, `"resultType":"input_required","inputRequests":{"%d":{"method":"elicitation/create","params":{"message":"call %d round %d",`+
		`"requestedSchema":{"type":"object","properties":{"said":{"type":"string","minLength":1}},"required":["said"]}}}},"requestState":"%s"`,
		round, n, round, state)
}
