package failures

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Served is where a case is to be found.
type Served struct {
	URL   string `json:"url,omitempty"`
	Proxy string `json:"proxy,omitempty"` // the URL of the proxy on the way

	// Its certificate is by the authority: what does not trust that meets
	// another failure than the case's.
	Signed bool `json:"signed,omitempty"`
}

// Server serves cases until it is closed.
type Server struct {
	At map[string]Served // by the names of cases; without those over stdio
	CA []byte            // PEM of the certificate that is to be trusted

	authority *authority
	mu        sync.Mutex
	open      map[io.Closer]bool
	closed    bool
}

// Serve serves cases on ports of this machine.
func Serve(cases []Case) (*Server, error) {
	authority, err := newAuthority("Parley verdicts")
	if err != nil {
		return nil, err
	}
	s := &Server{At: map[string]Served{}, CA: authority.pem, authority: authority, open: map[io.Closer]bool{}}
	for _, c := range cases {
		if c.Program != nil {
			continue
		}
		at, err := s.serve(c)
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		s.At[c.Name] = at
	}
	return s, nil
}

// Close ends all that is open.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for c := range s.open {
		c.Close()
	}
}

// keep has something closed with the server, at once if that is.
func (s *Server) keep(c io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[c] = true; s.closed {
		c.Close()
	}
}

func (s *Server) serve(c Case) (at Served, err error) {
	var address string
	switch {
	case c.URL != "":
		return Served{URL: c.URL}, nil
	case c.Refuses:
		address, err = s.refuse()
		at.URL = "http://" + address
	case c.Proxy == "missing":
		address, err = s.refuse()
		at = Served{URL: "https://server.invalid", Proxy: "http://" + address}
	case c.Proxy == "refuses":
		address, err = s.listen(func(conn net.Conn) { s.http(conn, &Answer{Status: 403}) })
		at = Served{URL: "https://server.invalid", Proxy: "http://" + address}
	case c.TLS != "":
		var handle func(net.Conn)
		if handle, at.Signed, err = s.tls(c.TLS); err == nil {
			address, err = s.listen(handle)
		}
		at.URL = "https://" + address
	default:
		answer := c.HTTP
		if answer == nil { // nothing gets here
			answer = &Answer{Status: 500}
		}
		if strings.Contains(answer.Field, "$REFUSES") {
			elsewhere, err := s.refuse()
			if err != nil {
				return at, err
			}
			led := *answer
			led.Field = strings.ReplaceAll(led.Field, "$REFUSES", elsewhere)
			answer = &led
		}
		address, err = s.listen(func(conn net.Conn) { s.http(conn, answer) })
		at.URL = "http://" + address
	}
	at.URL += "/mcp"
	return at, err
}

// refuse returns an address that refuses connections. Its port is taken, so no
// one else can come to listen there: a connection goes out from it.
func (s *Server) refuse() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s.keep(listener)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	conn, err := dialer.Dial("tcp", listener.Addr().String())
	if err != nil {
		return "", err
	}
	s.keep(conn)
	return conn.LocalAddr().String(), nil
}

// listen has connections handled, and closes them.
func (s *Server) listen(handle func(net.Conn)) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s.keep(listener)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.keep(conn)
			go func() {
				defer s.drop(conn)
				handle(conn)
			}()
		}
	}()
	return listener.Addr().String(), nil
}

func (s *Server) drop(conn net.Conn) {
	conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, conn)
}

// http answers requests, each once it was read to its end.
func (s *Server) http(conn net.Conn, answer *Answer) {
	in := bufio.NewReader(conn)
	for {
		request, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		var message struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(body, &message)                          // what a case answers goes out as it is
		if request.Method == http.MethodOptions && !answer.Closed { // a page of another origin asks first
			fmt.Fprintf(conn, "HTTP/1.1 204 No Content\r\n%sAccess-Control-Allow-Headers: %s\r\n\r\n", allowed(request), request.Header.Get("Access-Control-Request-Headers"))
			continue
		}
		if request.URL.Path == Over && message.Method == "server/discover" {
			discovered.write(conn, request, message.ID)
			return
		}
		answer.write(conn, request, message.ID)
		return
	}
}

// Over is the path at which clients that connect first can do so, with 2026-07-28.
const Over = "/over"

var discovered = &Answer{Status: 200, Type: "application/json", Body: `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private",` +
	`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"verdicts","version":"1"}}}`}

// allowed are the header fields that let a page of another origin read.
func allowed(request *http.Request) string {
	origin := request.Header.Get("Origin")
	if origin == "" {
		return ""
	}
	return "Access-Control-Allow-Origin: " + origin + "\r\nAccess-Control-Allow-Methods: POST, GET, DELETE\r\n"
}

// write writes the answer, after which the connection is closed; before it with
// Then "close" and, so that the other side notices, "reset"; before it is whole
// with "cut"; and with "nothing" there is none until the other side gives up.
func (a *Answer) write(conn net.Conn, request *http.Request, id []byte) {
	switch a.Then {
	case "close":
		return
	case "reset":
		reset(conn)
		return
	case "nothing":
		io.Copy(io.Discard, conn)
		return
	}
	body := a.Body
	if a.Raw != nil {
		body = string(a.Raw)
	}
	body = strings.ReplaceAll(body, "$ID", string(id)) + strings.Repeat(" ", a.Spaces)
	size := len(body)
	if a.Then == "cut" {
		size++
	}
	fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Length: %d\r\n", a.Status, http.StatusText(a.Status), size)
	if a.Type != "" {
		fmt.Fprintf(conn, "Content-Type: %s\r\n", a.Type)
	}
	if a.Field != "" {
		io.WriteString(conn, a.Field+"\r\n")
	}
	if !a.Closed {
		io.WriteString(conn, allowed(request))
	}
	io.WriteString(conn, "\r\n"+body)
	if c, ok := conn.(interface{ CloseWrite() error }); ok { // so that it is read to the end
		c.CloseWrite()
		io.Copy(io.Discard, conn)
	}
}

func reset(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}
