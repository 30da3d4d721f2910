package modern

import (
	"context"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/sse"
	"github.com/parley-mcp/parley/engine/session"
)

// patience is how long a response may leave its status open. After that it is an
// event stream, so that nobody on the way takes the connection for dead.
const patience = 5 * time.Second

// Post takes the message of a POST over Streamable HTTP.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http.
func (s *Service) Post(w http.ResponseWriter, r *http.Request, m message.Message, user string) {
	if !m.IsRequest() {
		if m.Method == "" {
			http.Error(w, "servers of this protocol version take no responses", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusAccepted) // none means anything here
		return
	}
	if m.Flaw != nil {
		respond(w, message.Failure(m.ID, m.Flaw))
		return
	}
	if fault := mismatch(r.Header, m); fault != "" {
		respond(w, message.Failure(m.ID, message.Error(message.HeaderMismatch, fault, nil)))
		return
	}
	stream := sse.New(s.opts.Memory, user, "")
	defer stream.Close()
	changed := stream.State().Change
	response := make(chan []byte, 1)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() { response <- s.Serve(ctx, m, user, stream) }()
	soon := time.NewTimer(patience)
	defer soon.Stop()
	select {
	case text := <-response:
		if stream.State().Empty {
			respond(w, text)
			return
		}
		response <- text
	case <-changed:
	case <-soon.C:
	}
	go func() {
		if text := <-response; text != nil {
			stream.Answer(m.ID, text)
		}
		stream.End()
	}()
	stream.Follow(w, r, 0, false)
}

// respond answers with a JSON object and the status that belongs to it; nil is
// for a client that is gone.
func respond(w http.ResponseWriter, response []byte) {
	if response == nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	code, _ := strconv.Atoi(string(message.Get(response, "error", "code")))
	switch code {
	case message.NoMethod:
		w.WriteHeader(http.StatusNotFound)
	case message.HeaderMismatch, message.MissingCapability, message.WrongVersion, message.InvalidParams, message.InvalidRequest:
		w.WriteHeader(http.StatusBadRequest)
	}
	w.Write(response)
}

// mismatch says which header field is not what the body says, "" if all are.
// Fields made of arguments (Mcp-Param-…) are not compared: nothing here goes by
// them, and a server of an earlier era has never heard of them.
func mismatch(h http.Header, m message.Message) string {
	if h.Get("MCP-Protocol-Version") != message.Text(m.Params, "_meta", metaPrefix+"protocolVersion") {
		return "MCP-Protocol-Version is not the version in params._meta"
	}
	if h.Get("MCP-Protocol-Version") != session.ProtocolVersion {
		return "" // the version will be refused
	}
	if h.Get("Mcp-Method") != m.Method {
		return "Mcp-Method is not the method"
	}
	member := map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}[m.Method]
	if member != "" && fieldText(h.Get("Mcp-Name")) != message.Text(m.Params, member) {
		return "Mcp-Name is not params." + member
	}
	return ""
}

// fieldText is what a header field says, which may be in Base64.
func fieldText(value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value
	}
	inner, ok = strings.CutSuffix(inner, "?=")
	text, err := base64.StdEncoding.DecodeString(inner)
	if !ok || err != nil {
		return value
	}
	return string(text)
}
