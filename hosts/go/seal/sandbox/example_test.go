package sandbox_test

import (
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/seal/sandbox"
)

// A server guards a tool that asks before it answers. The key file would come
// from seal.ReadKeyFile.
func ExampleRuntime_NewGuard() {
	rt, err := sandbox.NewRuntime(sandbox.RuntimeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	keys, err := seal.GenerateKey(codec.SuiteXChaCha)
	if err != nil {
		log.Fatal(err)
	}
	guard, err := rt.NewGuard(keys, codec.CodecOptions{}, codec.GuardOptions{Audience: "weather.example", TTL: time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	defer guard.Close()

	// The first leg: the handler asks, and sets a state.
	_, x, err := guard.Inbound("tools/call", []byte(`{"name":"get_weather"}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	result, err := guard.Outbound(x, []byte(`{"resultType":"input_required","requestState":"which city?",`+
		`"inputRequests":{"city":{"method":"elicitation/create","params":{"message":"Which city?"}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the client can read the state:", strings.Contains(string(result), "which city?"))

	// The second one: the state is the handler's again, and what nobody asked for is gone.
	_, token, _ := strings.Cut(string(result), `"requestState":`)
	token, _, _ = strings.Cut(token, ",")
	params, _, err := guard.Inbound("tools/call", []byte(`{"name":"get_weather","requestState":`+token+
		`,"inputResponses":{"city":{"action":"decline"},"admin":{"action":"accept"}}}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(params))
	// Output:
	// the client can read the state: false
	// {"name":"get_weather","requestState":"which city?","inputResponses":{"city":{"action":"decline"}}}
}
