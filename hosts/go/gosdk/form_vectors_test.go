package gosdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/rawjson"
)

// formVector is a file of hosts/testdata/forms. Its README says what the members
// mean.
type formVector struct {
	Schema, Strict json.RawMessage
	Refused        *struct{ Says string }
	Answers        []struct{ Given, Taken json.RawMessage }
}

func TestFormVectors(t *testing.T) {
	files, err := filepath.Glob("../../testdata/forms/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d vectors, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			var v formVector
			if err == nil {
				err = json.Unmarshal(text, &v)
			}
			if err != nil {
				t.Fatal(err)
			}
			v.replay(t)
		})
	}
}

func (v formVector) replay(t *testing.T) {
	server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, asking(func(ctx context.Context, ask *gosdk.Ask) (string, error) {
		res, err := ask.Elicit(ctx, &mcp.ElicitParams{Message: "?", RequestedSchema: v.Schema})
		if err != nil {
			return "", err
		}
		taken, err := json.Marshal(res.Content)
		return string(taken), err
	}))
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	srv := httptest.NewServer(gosdk.Exact(handler))
	defer srv.Close()
	leg := func(more string) (response struct {
		Result struct {
			RequestState  string
			Content       []struct{ Text string }
			InputRequests map[string]struct {
				Params struct{ RequestedSchema json.RawMessage }
			}
		}
	}) {
		text := post(t, srv.URL, "tools/call", "ask", `"name":"ask","arguments":{}`+more)
		if err := json.Unmarshal([]byte(text), &response); err != nil {
			t.Fatalf("got %s", text)
		}
		return response
	}

	first := leg("").Result
	if v.Refused != nil {
		if want := "gosdk: " + v.Refused.Says; len(first.Content) != 1 || first.Content[0].Text != want {
			t.Errorf("got  %v\nwant %s", first.Content, want)
		}
		return
	}
	asked := first.InputRequests["elicitation-1"].Params.RequestedSchema
	want := v.Strict
	if want == nil {
		want = v.Schema
		var came bytes.Buffer
		if json.Compact(&came, v.Schema); came.String() != string(asked) {
			t.Errorf("got  %s\nwant it as it came, %s", asked, &came)
		}
	}
	if !sameJSON(t, asked, want) || !slices.Equal(fieldNames(asked), fieldNames(want)) {
		t.Errorf("got  %s\nwant %s (%v)", asked, want, first.Content)
	}
	if !clientShows(t, server) {
		t.Errorf("the SDK's client refuses %s", asked)
	}
	for _, answer := range v.Answers {
		got := leg(fmt.Sprintf(`,"requestState":%q,"inputResponses":{"elicitation-1":{"action":"accept","content":%s}}`, first.RequestState, answer.Given)).Result
		taken := "null"
		if len(got.Content) == 1 {
			taken = got.Content[0].Text
		}
		if !sameJSON(t, []byte(taken), answer.Taken) {
			t.Errorf("answered with %s: got %s, want %s", answer.Given, taken, answer.Taken)
		}
	}
}

// sameJSON compares numbers as they are spelled.
func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	read := func(text []byte) (value any) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return value
	}
	return reflect.DeepEqual(read(a), read(b))
}

func fieldNames(schema []byte) (names []string) {
	var m rawjson.Members
	for m.Start(rawjson.Member(schema, "properties")); m.Next(); {
		name, _ := rawjson.Unquote(m.Name)
		names = append(names, name)
	}
	return names
}

// clientShows reports whether the SDK's client takes a form of the tool ask, and
// hands it on.
func clientShows(t *testing.T, server *mcp.Server) (shown bool) {
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			shown = true
			return &mcp.ElicitResult{Action: "cancel"}, nil
		},
	})
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	session, err := client.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
	return shown
}
