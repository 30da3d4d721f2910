package conformance

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asked is the requestState of fixtures that only need to know it is theirs.
const asked = "asked"

// elicitation is the tool of five scenarios. Two of them send answers on a
// first leg, which have to count without a requestState.
func elicitation(l leg) reply {
	name, refused := entered[string](l, "user_name", "name")
	switch {
	case refused:
		return answer("Hello, whoever you are!")
	case name == nil: // nobody asked yet, or an answer to something else
		return ask(mcp.InputRequestMap{"user_name": form("What is your name?", "name", "string")})
	}
	return answer("Hello, " + *name + "!")
}

func sampling(l leg) reply {
	text := l.sampled("capital_question")
	if text == "" {
		return ask(mcp.InputRequestMap{"capital_question": message("What is the capital of France?", 100)})
	}
	return answer(text)
}

func listRoots(l leg) reply {
	roots, ok := l.roots("client_roots")
	if !ok {
		return ask(mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}})
	}
	uris := make([]string, len(roots))
	for i, root := range roots {
		uris[i] = root.URI
	}
	return answer(fmt.Sprintf("%d root(s): %s", len(uris), strings.Join(uris, ", ")))
}

// confirmation starts over when requestState is not what it handed out. That is
// not the rejection the tampered-state scenario wants: a fixture that compared
// would pass it without any protection.
func confirmation(l leg) reply {
	ok, refused := entered[bool](l, "confirm", "ok")
	switch {
	case l.state != asked || ok == nil && !refused:
		return ask(mcp.InputRequestMap{"confirm": form("Please confirm", "ok", "boolean")}).withState(asked)
	case refused || !*ok:
		return answer("state-ok, and not confirmed")
	}
	return answer("state-ok, and confirmed")
}

func multipleInputs(l leg) reply {
	name, refused := entered[string](l, "user_name", "name")
	greeting := l.sampled("greeting")
	roots, listed := l.roots("client_roots")
	if refused && l.state == asked {
		return answer("Nobody was greeted.")
	}
	if l.state != asked || name == nil || greeting == "" || !listed {
		return ask(mcp.InputRequestMap{
			"user_name":    form("What is your name?", "name", "string"),
			"greeting":     message("Generate a greeting", 50),
			"client_roots": &mcp.ListRootsParams{},
		}).withState(asked)
	}
	return answer(fmt.Sprintf("%s (to %s, with %d root(s))", greeting, *name, len(roots)))
}

// multiRound keeps the name in requestState while it asks for the colour.
func multiRound(l leg) reply {
	name, known := strings.CutPrefix(l.state, "name=")
	if !known {
		given, refused := entered[string](l, "step1", "name")
		switch {
		case l.state == asked && refused:
			return answer("Somebody likes some colour.")
		case l.state != asked || given == nil:
			return ask(mcp.InputRequestMap{"step1": form("Step 1: What is your name?", "name", "string")}).withState(asked)
		}
		return askColour(*given)
	}
	colour, refused := entered[string](l, "step2", "color")
	switch {
	case refused:
		return answer(name + " likes some colour.")
	case colour == nil:
		return askColour(name)
	}
	return answer(name + " likes " + *colour + ".")
}

func askColour(name string) reply {
	return ask(mcp.InputRequestMap{
		"step2": form("Step 2: What is your favorite color?", "color", "string"),
	}).withState("name=" + name)
}

// capabilities asks one question of each kind the client declares.
func capabilities(l leg) reply {
	if len(l.answers) > 0 {
		return answer(fmt.Sprintf("%d answer(s)", len(l.answers)))
	}
	questions := mcp.InputRequestMap{}
	for key, q := range map[string]mcp.InputRequest{
		"user_name":    form("What is your name?", "name", "string"),
		"greeting":     message("Generate a greeting", 50),
		"client_roots": &mcp.ListRootsParams{},
	} {
		if missing(q, l.declared) == "" {
			questions[key] = q
		}
	}
	if len(questions) == 0 {
		return answer("The client declares nothing to ask it with.")
	}
	return ask(questions)
}

func promptContext(l leg) reply {
	about, refused := entered[string](l, "user_context", "context")
	switch {
	case refused:
		return answer("Say anything.")
	case about == nil:
		return ask(mcp.InputRequestMap{"user_context": form("What context should the prompt use?", "context", "string")})
	}
	return answer("Context: " + *about)
}
