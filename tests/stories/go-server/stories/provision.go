package stories

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// addProvision adds provision: the user confirms a cost in a round, and then it
// takes minutes, so that the call becomes a task. In the middle the task asks,
// too.
func addProvision(d *desk) {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "provision",
		Title:       "Provision a machine",
		Description: "Provisions a machine, which takes some minutes, after the user has confirmed what it costs.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"name": {"type": "string", "pattern": "^[a-z][a-z0-9-]{0,30}$"}},
			"required": ["name"]
		}`),
	}, d.provision)
}

type provisionArgs struct {
	Name string `json:"name"`
}

// provision asks what has to be settled before the task is made: a task could
// ask for it too, but the specification wants such rounds before it.
func (d *desk) provision(ctx context.Context, req *mcp.CallToolRequest, in provisionArgs) (*mcp.CallToolResult, any, error) {
	if err := d.tasks.Require(ctx); err != nil { // or the consent would be for nothing
		return nil, nil, err
	}
	p := req.Params
	agreed := false
	res, _, err := toolResult(take(d, leg{"tools/call", p.Name, p.RequestState, p.InputResponses, ""}, in, func(in provisionArgs, r round) reply {
		rep := confirmCost(in, r)
		agreed = rep.questions == nil && rep.end == done
		return rep
	}))
	if err == nil && agreed {
		err = d.tasks.Start(ctx, func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
			return provisioning{in.Name, d.step, t}.work(ctx)
		})
	}
	return res, nil, err
}

func confirmCost(in provisionArgs, r round) reply {
	q := form{
		name:    "confirm",
		message: in.Name + " costs 48 EUR a month. Provision it?",
		schema: `{
			"type": "object",
			"properties": {"confirm": {"type": "boolean", "title": "I accept the monthly cost", "default": false}},
			"required": ["confirm"]
		}`,
	}
	var a struct {
		Confirm bool `json:"confirm"`
	}
	switch r.form(q, &a) {
	case accepted:
		if !a.Confirm {
			return refuse("Nothing was provisioned: the user did not accept the monthly cost.")
		}
	case declined:
		return refuse("Nothing was provisioned: the user declined.")
	case cancelled:
		return refuse("Nothing was provisioned: the user cancelled.")
	default:
		return r.ask(nil, q)
	}
	return answer("")
}

// provisioning is the task of a machine.
type provisioning struct {
	name string
	step time.Duration
	task *gosdk.Task
}

func (p provisioning) work(ctx context.Context) (*mcp.CallToolResult, error) {
	for n, text := range []string{"Reserving an address", "Creating disks", "Installing the system"} {
		if err := p.do(ctx, n+1, text); err != nil {
			return nil, err
		}
	}
	login, err := p.login(ctx)
	if err != nil {
		return nil, err
	}
	for n, text := range []string{"Starting services", "Checking that it answers"} {
		if err := p.do(ctx, n+4, text); err != nil {
			return nil, err
		}
	}
	p.task.Say("%s is ready.", p.name)
	text := fmt.Sprintf("Provisioned %s for 48 EUR a month. %s", p.name, login)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
}

// do is a step of five. Tasks have no progress notifications: what a client can
// show is the status message.
func (p provisioning) do(ctx context.Context, step int, text string) error {
	p.task.Say("%s: step %d of 5", text, step)
	timer := time.NewTimer(p.step)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// login asks who may log in. A key means the same question for the task's whole
// life, so what is asked again has another.
func (p provisioning) login(ctx context.Context) (string, error) {
	p.task.Say("Waiting to be told who may log in")
	for try := 1; try <= maxTries; try++ {
		q := form{
			name:    fmt.Sprintf("login-%d", try),
			message: p.name + " is installed. Who may log in?",
			schema: `{
				"type": "object",
				"properties": {
					"user": {"type": "string", "title": "User name", "minLength": 1, "maxLength": 32},
					"password": {"type": "boolean", "title": "With a password, too", "default": false}
				},
				"required": ["user"]
			}`,
		}
		answers, err := p.task.All(ctx, mcp.InputRequestMap{q.name: q.request(try > 1)})
		if errors.Is(err, gosdk.ErrUnusable) {
			continue
		}
		if err != nil {
			return "", err
		}
		var a struct {
			User     string `json:"user"`
			Password bool   `json:"password"`
		}
		switch r := (round{last: progress{Keys: []string{q.name}}, answers: answers}); r.form(q, &a) {
		case accepted:
			how := "with a key"
			if a.Password {
				how = "with a key or a password"
			}
			return fmt.Sprintf("%s may log in %s.", a.User, how), nil
		case declined, cancelled:
			return "Nobody may log in yet.", nil
		}
	}
	return "Nobody may log in yet: there was no usable answer.", nil
}
