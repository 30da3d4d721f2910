package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var tools = map[string]story{
	"echo":          echo,
	"ask_form":      askForm,
	"ask_twice":     askTwice,
	"ask_all":       askAll,
	"open_page":     openPage,
	"busy":          busy,
	"progress":      progress,
	"slow":          slow,
	"outcome":       outcome,
	"charge":        charge,
	"charged":       charged,
	"deliver":       deliver,
	"require_page":  requirePage,
	"ask_on_stream": askOnStream,
	"cut_stream":    cutStream,
}

func echo(_ context.Context, r *round) (reply, error) {
	var in struct{ Text string }
	err := json.Unmarshal(r.args, &in)
	return reply{text: in.Text}, err
}

func busy(_ context.Context, r *round) (reply, error) {
	var in struct{ Rounds int }
	if err := json.Unmarshal(r.args, &in); err != nil {
		return reply{}, err
	}
	done, _ := strconv.Atoi(r.state)
	if done < in.Rounds {
		return reply{ask: mcp.InputRequestMap{}, state: strconv.Itoa(done + 1)}, nil
	}
	return reply{text: fmt.Sprintf("ready after %d rounds", done)}, nil
}

func progress(ctx context.Context, r *round) (reply, error) {
	var in struct{ Steps int }
	if err := json.Unmarshal(r.args, &in); err != nil {
		return reply{}, err
	}
	err := r.session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Logger: "interop", Data: "working"})
	for i := 1; i <= in.Steps && err == nil && r.token != nil; i++ {
		err = r.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: r.token, Progress: float64(i), Total: float64(in.Steps), Message: fmt.Sprintf("step %d", i),
		})
		time.Sleep(20 * time.Millisecond) // clients forget who wants progress when the result is there
	}
	return reply{text: fmt.Sprintf("done after %d steps", in.Steps)}, err
}

func slow(ctx context.Context, r *round) (reply, error) {
	var in struct {
		ID      string
		Seconds float64
	}
	if err := json.Unmarshal(r.args, &in); err != nil {
		return reply{}, err
	}
	record := func(outcome string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.outcomes[in.ID] = outcome
	}
	record("running")
	if r.token != nil { // tells that it runs
		r.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.token, Progress: 1})
	}
	select {
	case <-ctx.Done():
		record("cancelled")
		return reply{}, ctx.Err()
	case <-time.After(time.Duration(in.Seconds * float64(time.Second))):
		record("finished")
		return reply{text: "finished"}, nil
	}
}

func outcome(_ context.Context, r *round) (reply, error) {
	var in struct{ ID string }
	err := json.Unmarshal(r.args, &in)
	r.mu.Lock()
	defer r.mu.Unlock()
	if text := r.outcomes[in.ID]; text != "" {
		return reply{text: text}, err
	}
	return reply{text: "unknown"}, err
}

func charge(_ context.Context, r *round) (reply, error) {
	var in struct {
		ID     string
		Amount int
	}
	if err := json.Unmarshal(r.args, &in); err != nil {
		return reply{}, err
	}
	question := r.form("pay")
	question.Message = strings.Replace(question.Message, "AMOUNT", strconv.Itoa(in.Amount), 1)
	content, no, asked := r.elicited("confirm")
	switch {
	case !asked:
		return reply{ask: mcp.InputRequestMap{"confirm": question}}, nil
	case no != "":
		return reply{text: no}, nil
	case content["confirm"] != true:
		return reply{text: "not confirmed"}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.charges[in.ID]++
	return reply{text: fmt.Sprintf("paid %d", in.Amount)}, nil
}

func charged(_ context.Context, r *round) (reply, error) {
	var in struct{ ID string }
	err := json.Unmarshal(r.args, &in)
	r.mu.Lock()
	defer r.mu.Unlock()
	return reply{text: strconv.Itoa(r.charges[in.ID])}, err
}

func deliver(_ context.Context, r *round) (reply, error) {
	var in struct {
		Region   string
		Priority int
		Insured  bool
	}
	if err := json.Unmarshal(r.args, &in); err != nil {
		return reply{}, err
	}
	_, no, asked := r.elicited("confirm")
	switch {
	case !asked:
		return reply{ask: mcp.InputRequestMap{"confirm": r.form("deliver")}}, nil
	case no != "":
		return reply{text: no}, nil
	}
	return reply{text: fmt.Sprintf("region %s, priority %d, insured %t", in.Region, in.Priority, in.Insured)}, nil
}

func cutStream(ctx context.Context, r *round) (reply, error) {
	if r.extra != nil && r.extra.CloseSSEStream != nil {
		r.extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 50 * time.Millisecond})
	}
	select {
	case <-ctx.Done():
	case <-time.After(100 * time.Millisecond): // the client is between two streams
	}
	return reply{text: "resumed"}, ctx.Err()
}
