package stories

import (
	"net/http"
	"slices"
)

// allowOrigins lets pages of the given origins call next and refuses those of
// any other. Programs, which send no Origin, are not affected.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http, security warning:
// servers MUST validate the Origin header.
func allowOrigins(origins []string, next http.Handler) http.Handler {
	sameOrigin := http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		origin := req.Header.Get("Origin")
		if !slices.Contains(origins, origin) {
			sameOrigin.ServeHTTP(w, req)
			return
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", origin)
		h.Add("Vary", "Origin")
		if req.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", "POST")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name")
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, req)
	})
}
