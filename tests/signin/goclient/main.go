// Command goclient makes a call with the Go library, and signs in with its
// package oauth. Who answers is on the other side of stdin and stdout; the
// README of the directory above has the words.
//
//	goclient URL TOOL FOLDER ACCOUNTS ARGUMENTS  begins a call
//	goclient URL TOOL,TOOL … ARGUMENTS           makes several at once, and keeps none
//	goclient URL - FOLDER ACCOUNTS {}            resumes the one in FOLDER
//	goclient URL signout FOLDER ACCOUNTS {}      signs out
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 6 {
		log.Fatal("usage: goclient URL TOOL FOLDER ACCOUNTS ARGUMENTS")
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4], json.RawMessage(os.Args[5])); err != nil {
		log.Fatal(err)
	}
}

func run(url, tool, folder, accounts string, arguments json.RawMessage) error {
	person := listen()
	store := &oauth.Files{Dir: accounts, Box: &seal.KeyFileBox{Name: filepath.Join(folder, "key"), Create: true}}
	login, err := oauth.New(oauth.Options{
		URL: url, Store: store, ClientName: "goclient",
		Ask: func(ctx context.Context, p oauth.Prompt) error {
			answer, err := person.ask(ctx, said{"type": "sign in", "status": p.Status, "scopes": p.Scopes, "error": p.Reason})
			switch {
			case err != nil:
				return err
			case answer.Park:
				return parley.ErrPark
			case answer.Refuse:
				return errors.New("not now")
			}
			return nil
		},
		Open: func(_ context.Context, p oauth.Page) error {
			person.tell(said{"type": "open", "url": p.URL, "host": p.Host, "scopes": p.Scopes})
			return nil
		},
	})
	if err != nil {
		return err
	}
	if tool == "signout" {
		err := login.SignOut(context.Background())
		person.tell(said{"type": "signed out", "problem": text(err)})
		return nil
	}
	session, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: url, Authorization: login.Authorization}, parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "goclient", Version: "1"},
		Askers: parley.Askers{Authorize: login.Authorize, Elicit: func(ctx context.Context, q parley.Question) ([]byte, error) {
			answer, err := person.ask(ctx, said{"type": "form", "params": json.RawMessage(q.Params)})
			if err == nil && answer.Park {
				err = parley.ErrPark
			}
			return answer.Answer, err
		}},
	})
	if err != nil {
		return err
	}
	defer session.Close()
	tools := strings.Split(tool, ",")
	file := filepath.Join(folder, "call")
	if len(tools) > 1 {
		file = os.DevNull
	}
	var all sync.WaitGroup
	problems := make([]error, len(tools))
	for i, tool := range tools {
		all.Go(func() {
			out, err := call(session, login, tool, arguments, file, person.park)
			problems[i] = tell(person, out, err, file)
		})
	}
	all.Wait()
	return errors.Join(problems...)
}

// tell says how a call ended, after its snapshot was kept.
func tell(person *person, out parley.Outcome, err error, file string) error {
	var failed *parley.Error
	snapshot := out.Snapshot
	if errors.As(err, &failed) {
		snapshot = failed.Snapshot
	}
	if snapshot != nil {
		if err := os.WriteFile(file, snapshot, 0o600); err != nil {
			return err
		}
	}
	switch {
	case failed != nil:
		person.tell(said{"type": "failed", "code": failed.Code, "resumable": failed.Resumable, "inDoubt": failed.InDoubt, "text": err.Error(), "cause": text(failed.Cause)})
	case err != nil:
		return err
	case out.Parked:
		person.tell(said{"type": "parked"})
	default:
		person.tell(said{"type": "done", "result": json.RawMessage(out.Result)})
	}
	return nil
}

func call(session *parley.Session, login *oauth.SignIn, tool string, arguments json.RawMessage, file string, park <-chan struct{}) (out parley.Outcome, err error) {
	ctx := context.Background()
	save := func(_ context.Context, snapshot []byte) error { return os.WriteFile(file, snapshot, 0o600) }
	if tool != "-" {
		params, err := json.Marshal(said{"name": tool, "arguments": arguments})
		if err != nil {
			return out, err
		}
		return session.Call(ctx, parley.Request{Method: "tools/call", Params: params, Save: save, Park: park})
	}
	snapshot, err := os.ReadFile(file)
	if err != nil {
		return out, err
	}
	account, _, err := login.Account(ctx)
	if err != nil {
		return out, err
	}
	return session.Resume(ctx, parley.Resumption{Snapshot: snapshot, Save: save, Park: park, Expect: engine.Expect{Principal: account.Label}})
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
