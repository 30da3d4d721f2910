// Package oauth signs in to MCP servers that want OAuth 2.1.
//
// A server may answer any request with 401, or with 403 and
// "insufficient_scope". The engine makes a question of that, and this package
// answers it: it finds the authorization server, opens the browser, keeps the
// tokens, renews them, and puts the header on each request. The engine decides
// when a request is sent again, and sees no token.
//
//	login, err := oauth.New(oauth.Options{URL: url, Open: openBrowser})
//	...
//	server := &parley.StreamableHTTP{URL: url, Authorization: login.Authorization}
//	session, err := parley.NewSession(parley.Native{}, server, parley.SessionOptions{
//		Askers: parley.Askers{Authorize: login.Authorize},
//	})
//
// [ClientCredentials] is for programs without a person, [Bearer] for tokens that
// come from elsewhere, and [Handler] for handlers of the official Go SDK. A
// [Store] keeps accounts from one run to the next; [Files] seals them.
//
// No error of this package holds a token, a code, a verifier or a client secret.
package oauth
