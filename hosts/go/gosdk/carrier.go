package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/sentence"
)

// Carrier is the transport of a session over a connection of the SDK's client;
// see [Shared.Carry]. Closing it leaves the connection open.
type Carrier struct {
	shared     *Shared
	connection *mcp.ClientSession
	running    sync.WaitGroup

	mu     sync.Mutex
	legs   map[string]*carried // by the session's ids
	asked  map[string]chan answer
	count  int
	stream *carried        // where the session expects requests of the server
	asks   map[string]bool // by which methods it is asked
}

// carried is an exchange of the session's.
type carried struct {
	number  int
	report  func(session.Event, error)
	cancel  context.CancelFunc
	written atomic.Bool // maybe: over HTTP there was a connection to write it to
}

func (x *carried) ended(ev session.Ended, cause error) {
	ev.Exchange = x.number
	x.report(ev, cause)
}

func (x *carried) say(m message, last bool) {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		x.ended(session.Ended{Reason: "the answer cannot be read"}, err)
		return
	}
	x.report(session.Message{Exchange: x.number, Body: body, Last: last}, nil)
}

// message is one of JSON-RPC.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *jsonrpc.Error  `json:"error,omitempty"`
}

// answer is what the session answers a question.
type answer struct {
	result json.RawMessage
	err    error
}

// Kind implements parley.Transport: each message has an exchange of its own.
func (*Carrier) Kind() session.Transport { return session.HTTP }

// Perform implements parley.Transport.
func (c *Carrier) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	switch a := a.(type) {
	case session.Listen:
		c.mu.Lock()
		c.stream = &carried{number: a.Exchange, report: report}
		c.mu.Unlock()
		report(session.Opened{Exchange: a.Exchange}, nil)
	case session.Delete:
		report(session.Ended{Exchange: a.Exchange, Status: 202}, nil) // the connection is the client's to end
	case session.Post:
		var m message
		x := &carried{number: a.Exchange, report: report}
		if err := json.Unmarshal(a.Body, &m); err != nil {
			x.ended(session.Ended{Unsent: true, Reason: "not a message"}, err)
			return
		}
		if m.ID != nil && m.Method != "" {
			ctx, x.cancel = context.WithCancel(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
				GotConn: func(httptrace.GotConnInfo) { x.written.Store(true) },
			}))
			c.mu.Lock()
			c.legs[string(m.ID)] = x
			c.mu.Unlock()
			c.running.Go(func() { c.request(ctx, x, m) })
			return
		}
		c.settle(m)
		x.ended(session.Ended{Status: 202}, nil)
	}
}

// settle takes what the session says without waiting for an answer.
func (c *Carrier) settle(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var about struct{ RequestID json.RawMessage }
	switch {
	case m.Method == "notifications/cancelled" && json.Unmarshal(m.Params, &about) == nil:
		if x := c.legs[string(about.RequestID)]; x != nil {
			x.cancel()
		}
	case m.Method == "" && c.asked[string(m.ID)] != nil:
		said := answer{result: m.Result}
		if m.Error != nil {
			said.err = m.Error
		}
		c.asked[string(m.ID)] <- said
		delete(c.asked, string(m.ID))
	}
}

// request has the client send a request, and says what came of it, whatever the
// client does at it.
func (c *Carrier) request(ctx context.Context, x *carried, m message) {
	var result json.RawMessage
	err := errors.New("gosdk: the client of the go-sdk ended its goroutine") // runtime.Goexit
	defer func() {
		if p := recover(); p != nil {
			err = panicked(fmt.Sprintf("%T", p)) // what it says may quote the answer
		}
		x.answered(m.ID, result, err)
		x.cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.legs, string(m.ID))
	}()
	result, err = c.result(ctx, m)
}

func (c *Carrier) result(ctx context.Context, m message) (json.RawMessage, error) {
	if known, err := c.known(m); known != nil || err != nil {
		return known, err
	}
	res, err := c.send(ctx, m)
	if err != nil {
		return nil, err
	}
	return json.Marshal(res)
}

// answered says what came of a request.
func (x *carried) answered(id, result json.RawMessage, err error) {
	refusal, fault := refusalIn(err), (*net.OpError)(nil)
	switch {
	case err == nil:
		x.say(message{ID: id, Result: result}, true)
	case refusal != nil:
		x.say(message{ID: id, Error: refusal}, true)
	case errors.As(err, new(unsent)):
		x.ended(session.Ended{Unsent: true, Reason: sentence.Value(err.Error())}, err)
	case errors.As(err, new(panicked)):
		x.ended(session.Ended{Reason: "the client of the go-sdk panicked"}, err)
	case x.written.Load(): // a dial that failed was to where a redirect led
		x.ended(session.Ended{Reason: "the client got no response that it can read"}, err)
	case errors.Is(err, mcp.ErrConnectionClosed) && strings.Contains(err.Error(), ": client is closing"): // which the SDK finds before it writes
		x.ended(session.Ended{Unsent: true, Reason: "the client is not connected"}, err)
	case errors.As(err, &fault) && fault.Op == "dial":
		x.ended(session.Ended{Unsent: true, Reason: "there is no connection to the server"}, err)
	default:
		x.ended(session.Ended{Reason: "the client got no response that it can read"}, err)
	}
}

// panicked is the type of what the SDK panicked with.
type panicked string

func (e panicked) Error() string {
	return "gosdk: the client of the go-sdk panicked with a " + string(e)
}

// unsent is why a request was not handed to the client.
type unsent string

func (e unsent) Error() string { return string(e) }

// known answers what the client has agreed on with the server already.
func (c *Carrier) known(m message) (json.RawMessage, error) {
	var p struct {
		Capabilities map[string]json.RawMessage
		Task         json.RawMessage
		Meta         struct {
			Version      string                              `json:"io.modelcontextprotocol/protocolVersion"`
			Capabilities struct{ Extensions map[string]any } `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
	}
	agreed := c.connection.InitializeResult()
	switch err := json.Unmarshal(m.Params, &p); {
	case err != nil && m.Params != nil:
		return nil, err
	case agreed == nil:
		return nil, unsent("the client is not connected")
	case (p.Meta.Version != "") != (agreed.ProtocolVersion >= "2026-07-28"):
		data, err := json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: []string{agreed.ProtocolVersion}, Requested: p.Meta.Version})
		return nil, errors.Join(err, &jsonrpc.Error{Code: mcp.CodeUnsupportedProtocolVersion, Message: "the client has connected in another version", Data: data})
	case m.Method == "subscriptions/listen" || m.Method == "resources/subscribe":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "subscriptions are the client's own"}
	case p.Meta.Capabilities.Extensions["io.modelcontextprotocol/tasks"] != nil || p.Task != nil:
		return nil, unsent("the SDK's client drops what is said of tasks: leave Askers.Tasks out")
	}
	missing := c.shared.own(c, p.Capabilities)
	switch {
	case m.Method != "initialize":
		return nil, nil
	case missing != "":
		return nil, unsent("the client has not declared " + missing + ": make it with the Capabilities that gosdk.Capabilities says")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asks = map[string]bool{
		"elicitation/create": p.Capabilities["elicitation"] != nil, "sampling/createMessage": p.Capabilities["sampling"] != nil, "roots/list": p.Capabilities["roots"] != nil,
	}
	return json.Marshal(agreed)
}

// send sends a request as the session wrote it. The SDK adds a tool's header
// fields to those that go by its own method.
func (c *Carrier) send(ctx context.Context, m message) (mcp.Result, error) {
	req := sent{&mcp.ClientRequest[*raw]{Session: c.connection, Params: &raw{text: m.Params}}, apart{c.connection}}
	if m.Method != "tools/call" {
		return c.shared.send(ctx, m.Method, req)
	}
	params := &mcp.CallToolParams{}
	if err := json.Unmarshal(m.Params, &struct{ Name *string }{&params.Name}); err != nil {
		return nil, err
	}
	res, err := c.connection.CallTool(context.WithValue(ctx, sentKey{}, mcp.Request(req)), params)
	return res, err
}

// refusalIn is the server's JSON-RPC error in err. The SDK has such errors of
// its own for a connection that does not send.
func refusalIn(err error) *jsonrpc.Error {
	var refusal *jsonrpc.Error
	if !errors.As(err, &refusal) || refusal.Code == -32003 && refusal.Message == "client is closing" ||
		refusal.Code == -32004 && refusal.Message == "server is closing" || refusal.Code == -32005 && refusal.Message == "rejected by transport" {
		return nil
	}
	return refusal
}

// owns reports whether a request of the server is the session's to answer.
func (c *Carrier) owns(method string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asks[method] && c.stream != nil
}

// tell passes on what the server says of the session's requests and questions.
func (c *Carrier) tell(method string, params mcp.Params) {
	c.mu.Lock()
	var x *carried
	switch p := params.(type) {
	case *mcp.ProgressNotificationParams:
		token, _ := json.Marshal(p.ProgressToken) // it was JSON
		x = c.legs[string(token)]
	case *mcp.ElicitationCompleteParams:
		x = c.stream
	}
	c.mu.Unlock()
	if x != nil {
		x.say(message{Method: method, Params: textOf(params)}, false)
	}
}

// ask has the session answer a question.
func (c *Carrier) ask(ctx context.Context, method string, params mcp.Params) (mcp.Result, error) {
	said := make(chan answer, 1)
	c.mu.Lock()
	c.count++
	id, x := fmt.Sprintf(`"over-%d"`, c.count), c.stream
	if x == nil { // it has closed since the server asked
		c.mu.Unlock()
		return nil, errEnded
	}
	c.asked[id] = said
	c.mu.Unlock()
	x.say(message{ID: json.RawMessage(id), Method: method, Params: textOf(params)}, false)
	select {
	case a := <-said:
		return &rawResult{text: a.result}, a.err
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.asked, id)
		c.mu.Unlock()
		x.say(message{Method: "notifications/cancelled", Params: json.RawMessage(`{"requestId":` + id + `}`)}, false)
		return nil, ctx.Err()
	}
}

var errEnded = errors.New("the session has ended")

func textOf(params mcp.Params) json.RawMessage {
	text, err := json.Marshal(params)
	if err != nil || string(text) == "null" {
		return json.RawMessage("{}")
	}
	return text
}

// Close implements parley.Transport. The client's connection stays open, and
// what the server asks over it is the client's again.
func (c *Carrier) Close() error {
	c.shared.disown(c)
	c.mu.Lock()
	c.stream = nil
	for id, said := range c.asked {
		said <- answer{err: errEnded}
		delete(c.asked, id)
	}
	for _, x := range c.legs {
		x.cancel()
	}
	c.mu.Unlock()
	c.running.Wait()
	return nil
}
