package play

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
)

// Limits has strangers take what they can of a server, which is started with
// arguments that give them two seconds: their connections are closed, and a call is
// played meanwhile. Then it is told to stop.
func Limits(t *testing.T, command []string, args ...string) {
	server := start(t, command, args...)
	at, err := url.Parse(server.url)
	if err != nil {
		t.Fatal(err)
	}
	send := func(text string) net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", at.Host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		io.WriteString(c, text)
		return c
	}
	begin := "POST /mcp HTTP/1.1\r\nHost: " + at.Host + "\r\nContent-Type: application/json\r\nContent-"
	var bad []net.Conn
	for range 200 {
		bad = append(bad, send(begin), send(begin+"Length: 100\r\n\r\n{\"jsonrpc\""), send(""))
	}
	call := func(when string) {
		t.Helper()
		text := ""
		for range 50 { // a slow machine may miss two seconds
			q, _ := http.NewRequest("POST", server.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_work_item","arguments":`+resolved+`,
				"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}`))
			for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
				"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "update_work_item"} {
				q.Header.Set(name, value)
			}
			res, err := http.DefaultClient.Do(q)
			if err != nil {
				continue
			}
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if text = string(body); strings.Contains(text, resolution) {
				return
			}
		}
		t.Errorf("%s: got %s", when, text)
	}
	call("meanwhile")
	for _, c := range bad {
		io.Copy(io.Discard, c) // until it is closed
	}
	call("afterwards")
	said := func(request string) (status int, text string) {
		res, err := http.ReadResponse(bufio.NewReader(send(request)), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body)
	}
	if status, text := said(begin + "Length: 67108864\r\n\r\n{"); status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "longer than 4194304 bytes") {
		t.Errorf("64 MiB: got %d %q", status, text)
	}
	if status, _ := said("GET /healthz HTTP/1.1\r\nHost: " + at.Host + "\r\n\r\n"); status != http.StatusOK {
		t.Errorf("health: got %d", status)
	}
	idle := send("GET /healthz HTTP/1.1\r\nHost: " + at.Host + "\r\n\r\n")
	if err := server.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, idle)
	if err := server.cmd.Wait(); err != nil {
		t.Errorf("told to stop: got %v\n%s", err, &server.log)
	}
}
