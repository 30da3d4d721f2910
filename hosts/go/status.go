package parley

import (
	"fmt"
	"net/http"
)

// StatusError is the HTTP status of a response that is an error. It is in the
// Cause of the [*Error] of a call that fails with it.
type StatusError struct{ Code int }

// Error implements error.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("parley: HTTP status %d %s", e.Code, http.StatusText(e.Code))
	switch e.Code {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return text + ": the endpoint has moved; redirects are not followed, so give the new URL"
	case http.StatusUnauthorized, http.StatusForbidden:
		return text + ": the server wants authorization; sign in with Askers.Authorize, or set StreamableHTTP.Authorization"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return text + ": is this the server's MCP endpoint?"
	}
	return text
}
