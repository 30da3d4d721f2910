package display

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// What a server can put into a reason, in characters.
const (
	maxReason  = 1200
	maxMessage = 600
	maxData    = 300
)

// Reason is why a request to a server failed, which the host calls label.
func Reason(label string, err error) string {
	var failed *parley.Error
	var refused *engine.Error
	switch {
	case errors.As(err, &failed):
	case errors.As(err, &refused): // before the call began
		return plain.Line(InWords(refused.Detail.String()), maxReason)
	default:
		return plain.Line(err.Error(), maxReason)
	}
	return plain.Line(reason(label, failed), maxReason)
}

func reason(label string, failed *parley.Error) string {
	switch failed.Code {
	case fault.RPC, fault.State:
		if failed.Code == fault.State && failed.Response == nil {
			return InWords(failed.Detail)
		}
		if failed.Response == nil {
			return label + " answered with " + InWords(failed.Detail)
		}
		return label + " " + rpcError(failed)
	case fault.Task:
		if failed.Response == nil {
			return fmt.Sprintf("the task at %s came to nothing: %s", label, InWords(failed.Detail))
		}
		return fmt.Sprintf("the task at %s %s", label, strings.Replace(rpcError(failed), "answered with error", "ended with error", 1))
	case fault.LegTimeout:
		return fmt.Sprintf("no answer from %s in time", label) + Failure(failed)
	case fault.Lost, fault.InDoubt:
		return lost(label, InWords(failed.Detail))
	case fault.Unauthorized:
		if failed.Cause != nil {
			var status *parley.StatusError
			if !errors.As(failed, &status) {
				return failed.Cause.Error()
			}
		}
		return fmt.Sprintf("%s wants you to sign in: %s", label, InWords(failed.Detail))
	case fault.Form:
		return failed.Code.String() + ": " + InWords(failed.Detail) + ". Nobody was asked: tell those who run " + label + " that their form has to change"
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

// prefixes are what the engine says of the call before it says what came of the
// request. The person is told of the call apart from that.
var prefixes = []string{"it was not carried out: ", "it cannot be told whether the tool has run; it is called again only on request: ", "no answer will come: "}

var (
	answered = regexp.MustCompile(`^(?:(initialize|server/discover): )?(HTTP status \d+|JSON-RPC error -?\d+)`)
	status   = regexp.MustCompile(`HTTP status (\d{3})\b`)
)

// lost says what came in place of an answer.
func lost(label, whole string) string {
	detail := whole
	for _, prefix := range prefixes {
		detail = strings.TrimPrefix(detail, prefix)
	}
	match := answered.FindStringSubmatch(detail)
	if match == nil {
		return fmt.Sprintf("no answer from %s: %s", label, whole)
	}
	to := ""
	if match[1] != "" {
		to, detail = " "+match[1], strings.TrimPrefix(detail, match[1]+": ")
	}
	return label + " answered" + to + " with " + status.ReplaceAllStringFunc(detail, func(found string) string {
		code, _ := strconv.Atoi(found[len("HTTP status "):])
		return strings.TrimRight(found+" "+http.StatusText(code), " ")
	})
}

// Failure is what a failure has of the server beside its reason, to follow another
// reason: the words in which it refused, or what came in place of an answer. It is
// "" if there is nothing.
func Failure(failed *parley.Error) string {
	switch template, params := failed.Sentence.Parts(); template {
	case "{0}: the server says “{1}”":
		return ": the server says “" + params[1].Words + "”"
	case "{0} ({1})":
		return " (" + params[1].Words + ")"
	}
	return ""
}

// rpcError is the server's JSON-RPC error, with what it means for the call.
func rpcError(failed *parley.Error) string {
	data := jsontext.Get(failed.Response, "data")
	text := fmt.Sprintf("answered with error %s: %s", jsontext.Get(failed.Response, "code"), plain.Line(jsontext.Text(failed.Response, "message"), maxMessage))
	if data != nil && string(data) != "null" {
		text += " " + plain.Line(string(data), maxData)
	}
	if failed.Code == fault.State {
		text += " (it does not go on from where it was, maybe because the answers came too late)"
	}
	return text
}
