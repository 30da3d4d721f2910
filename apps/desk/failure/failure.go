// Package failure says in words for the person why a call failed.
package failure

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// What a server can put into a reason, in characters.
const (
	mostReason  = 1200
	mostMessage = 600
	mostData    = 300
)

// Reason is why a request to a server failed, which the host calls label.
func Reason(label string, err error) string {
	var failed *parley.Error
	if !errors.As(err, &failed) {
		return plain.Line(err.Error(), mostReason)
	}
	return plain.Line(reason(label, failed), mostReason)
}

func reason(label string, failed *parley.Error) string {
	var status *parley.StatusError
	switch failed.Code {
	case fault.RPC, fault.State:
		return label + " " + rpcError(failed)
	case fault.Task:
		if failed.Response == nil {
			return fmt.Sprintf("the task at %s came to nothing: %s", label, InWords(failed.Detail))
		}
		return fmt.Sprintf("the task at %s %s", label, strings.Replace(rpcError(failed), "answered with error", "ended with error", 1))
	case fault.LegTimeout:
		return fmt.Sprintf("no answer from %s in time", label)
	case fault.Lost, fault.InDoubt:
		if errors.As(failed, &status) {
			return fmt.Sprintf("%s answered with %s", label, statusWords(status))
		}
		return fmt.Sprintf("no answer from %s: %s", label, InWords(failed.Detail))
	case fault.Unauthorized:
		if failed.Cause != nil && !errors.As(failed, &status) {
			return failed.Cause.Error()
		}
		return fmt.Sprintf("%s wants you to sign in: %s", label, InWords(failed.Detail))
	case fault.Canceled, fault.Refused:
		if failed.Cause != nil {
			return failed.Cause.Error()
		}
	}
	return failed.Code.String() + ": " + InWords(failed.Detail)
}

var (
	limit   = regexp.MustCompile(`limits\.\w+ allows (\d+)`)
	another = regexp.MustCompile(`limits\.\w+ allows`)
	message = regexp.MustCompile(` \(MaxMessage\)`)
)

// InWords is a detail of the engine's, or of the library's, for who cannot set
// their limits.
func InWords(detail string) string {
	detail = limit.ReplaceAllStringFunc(detail, func(found string) string {
		n, _ := strconv.Atoi(limit.FindStringSubmatch(found)[1])
		return sized(n) + " is the most that parley takes"
	})
	detail = message.ReplaceAllString(another.ReplaceAllString(detail, "parley takes"), ", the most that parley takes")
	return strings.ReplaceAll(detail, "longer than Expect.Size", "longer than parley takes")
}

// sized is a number of bytes, as a person would say it.
func sized(n int) string {
	switch {
	case n > 0 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n > 0 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// statusWords is an HTTP error status, with what can be done about it.
func statusWords(status *parley.StatusError) string {
	text := fmt.Sprintf("HTTP status %d %s", status.Code, http.StatusText(status.Code))
	switch status.Code {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired:
		return text + ": it wants authorization that parley cannot give"
	case http.StatusForbidden:
		return text + ": it does not allow this"
	case http.StatusTooManyRequests:
		return text + ": it has had too many requests; wait a while, then try again"
	}
	return strings.TrimPrefix(status.Error(), "parley: ")
}

// rpcError is the server's JSON-RPC error, with what it means for the call.
func rpcError(failed *parley.Error) string {
	data := jsontext.Get(failed.Response, "data")
	text := fmt.Sprintf("answered with error %s: %s", jsontext.Get(failed.Response, "code"), plain.Line(jsontext.Text(failed.Response, "message"), mostMessage))
	if data != nil && string(data) != "null" {
		text += " " + plain.Line(string(data), mostData)
	}
	if failed.Code == fault.State {
		text += " (it does not go on from where it was, maybe because the answers came too late)"
	}
	return text
}
