package oauth_test

import (
	"context"
	"fmt"
	"slices"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// A call that wants a sign-in, and a wider scope in the middle. What was answered
// by then is not asked again.
func ExampleNew() {
	w := makeWorld() // stands for a server, an authorization server and a browser
	defer w.server.Close()
	server := w.makePlain()
	defer server.Close()
	w.mcp = &deployer{w: w}

	login, err := oauth.New(oauth.Options{
		URL:        server.URL + "/mcp",
		ClientName: "My host",
		Ask: func(_ context.Context, p oauth.Prompt) error { // usually a person
			fmt.Println("sign in?", p.Scopes)
			return nil
		},
		Open: func(ctx context.Context, p oauth.Page) error {
			slices.Sort(p.Scopes)
			fmt.Println("opening the browser", p.Scopes)
			return w.browse(ctx, p)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	transport := &parley.StreamableHTTP{URL: server.URL + "/mcp", Authorization: login.Authorization}
	session, err := parley.NewSession(parley.Native{}, transport, parley.SessionOptions{Askers: parley.Askers{
		Authorize: login.Authorize,
		Elicit: func(context.Context, parley.Question) ([]byte, error) {
			fmt.Println("deploy? yes")
			return parley.Accept(struct{}{})
		},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	result, err := session.CallTool(context.Background(), parley.ToolCall{Name: "deploy"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Content[0].Text)
	// Output:
	// sign in? [read]
	// opening the browser [read]
	// deploy? yes
	// sign in? [write]
	// opening the browser [read write]
	// deployed
}

// A program without a person.
func ExampleClientCredentials() {
	w := makeWorld()
	defer w.server.Close()
	server := w.makePlain()
	defer server.Close()

	login, err := oauth.ClientCredentials(oauth.Options{URL: server.URL + "/mcp", ClientID: "nightly", ClientSecret: "from a vault"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	transport := &parley.StreamableHTTP{URL: server.URL + "/mcp", Authorization: login.Authorization}
	askers := parley.Askers{Authorize: login.Authorize}
	fmt.Println(transport.Authorization != nil, askers.Authorize != nil)
	// Output: true true
}
