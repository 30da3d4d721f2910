package failures

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Run is the program of a case over stdio, and returns its exit code.
func (p *Program) Run(in io.Reader, out io.Writer) int {
	if p.Ends == "at once" {
		return 3
	}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return 0
		}
		var request struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.Unmarshal(line, &request); err != nil {
			return 1
		}
		switch {
		case request.Method == "server/discover":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`+"\n", request.ID)
		case request.Method == "tools/call" && p.Ends == "after the call":
			return 3
		case request.Method == "tools/call":
			io.WriteString(out, strings.Repeat(" ", p.Spaces)+"\n")
		}
	}
}
