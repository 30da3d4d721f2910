package gosdk

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/rawjson"
)

// exactMeta is where [Exact] puts the text of an answer's content. No client
// knows the name, so none can say two things at once.
var exactMeta = "parley/exact-" + rand.Text()

// maxExact is the longest request, in bytes, whose numbers [Exact] looks at.
const maxExact = 4 << 20

// Exact wraps the HTTP handler of a server, and [ExactTransport] its other
// transports, because the SDK decodes the answers to forms before any middleware
// sees them, and makes a float64 of every number: of 9007199254740993 it makes
// 9007199254740992. Behind [Guard], and in what [Ask] and [Answer] return, a whole
// number that a float64 would change is then a json.Number in the answer's
// Content, and [Form] puts it into an int64 or uint64. Every other number stays a
// float64.
//
// Without it, an answer with a whole number beyond ±9007199254740991 is refused,
// with an error that says so: what the person sent cannot be known any more. So
// it is in a request of more than 4 MiB, which passes as it is. A
// [Task] needs it only for clients of earlier revisions. [Tasks.Handler] and
// [Tasks.Transport] do this, too.
func Exact(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.Body != nil {
			body, err := io.ReadAll(io.LimitReader(r.Body, maxExact+1))
			switch {
			case err != nil:
				http.Error(w, "the request cannot be read", http.StatusBadRequest)
				return
			case len(body) > maxExact: // how much is too much is the SDK's to say
				rest := r.Body
				r = r.WithContext(r.Context())
				r.Body = struct {
					io.Reader
					io.Closer
				}{io.MultiReader(bytes.NewReader(body), rest), rest}
			default:
				r = withBody(r, carryExact(body))
			}
		}
		next.ServeHTTP(w, r)
	})
}

func withBody(r *http.Request, body []byte) *http.Request {
	r = r.WithContext(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r
}

// carryExact is a message that carries beside the answers in it what the SDK
// would round.
func carryExact(message []byte) []byte {
	if result := rawjson.Member(message, "result"); result != nil {
		return put(message, "result", result, exactResult(result))
	}
	if params := rawjson.Member(message, "params"); params != nil {
		return put(message, "params", params, exactParams(params))
	}
	return message
}

// exactParams does that to the params of a request.
func exactParams(params []byte) []byte {
	answers := rawjson.Member(params, "inputResponses")
	exact := answers
	var m rawjson.Members
	for m.Start(answers); m.Next(); {
		if name, ok := rawjson.Unquote(m.Name); ok {
			exact = put(exact, name, m.Value, exactAnswer(m.Value))
		}
	}
	return put(params, "inputResponses", answers, exact)
}

// exactAnswer does that to an answer that needs it.
func exactAnswer(answer []byte) []byte {
	if values, err := readContent(rawjson.Member(answer, "content")); err != nil || !found(values, isLarge) {
		return answer // the SDK keeps it, or says what is wrong with it
	}
	return exactResult(answer)
}

// exactResult does that to the result of a request of the server. To an answer
// the SDK adds defaults, which it rounds, too.
func exactResult(result []byte) []byte {
	content := rawjson.Member(result, "content")
	if !rawjson.IsObject(content) || rawjson.Member(result, "action") == nil {
		return result
	}
	return withMeta(result, exactMeta, rawjson.AppendQuoted(nil, content))
}

// put is an object with a member changed, the same one if that is as it was.
func put(object []byte, name string, before, after []byte) []byte {
	if bytes.Equal(before, after) {
		return object
	}
	return replaced(object, name, after)
}

// ExactTransport does for a transport what [Exact] does for HTTP: give the
// server's Run or Connect what it returns.
func ExactTransport(inner mcp.Transport) mcp.Transport { return exactTransport{inner} }

type exactTransport struct{ mcp.Transport }

func (t exactTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return exactConnection{inner}, nil
}

type exactConnection struct{ mcp.Connection }

func (c exactConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	exactMessage(m)
	return m, err
}

// exactMessage does to a message that was read what carryExact does to its text.
func exactMessage(m jsonrpc.Message) {
	switch m := m.(type) {
	case *jsonrpc.Request:
		m.Params = exactParams(m.Params)
	case *jsonrpc.Response:
		m.Result = exactResult(m.Result)
	}
}
