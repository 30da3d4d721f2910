package main

import (
	"errors"
	"time"

	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

// clientLimits are the flags about what clients over HTTP may take.
type clientLimits struct {
	maxRequests    int
	maxConnections int
	maxBody        int // MiB
	maxMemory      int // MiB
	userShare      int // percent
	stall          time.Duration
	grace          time.Duration
}

func (f *clientLimits) limitGroup() flags.Group {
	return flags.Group{
		Text: "What clients over HTTP may take:\n",
		Flags: []flags.Flag{
			{Name: "max-requests", Value: "N", Default: "500", To: &f.maxRequests, Text: "how many requests may be served at once"},
			{Name: "max-connections", Value: "N", Default: "1000", To: &f.maxConnections,
				Text: "how many connections there may be; one that waits for its next request makes room for another"},
			{Name: "max-body", Value: "N", Default: "8", To: &f.maxBody, Text: "how long one message of a client may be, in MiB"},
			{Name: "max-memory", Value: "N", Default: "256", To: &f.maxMemory,
				Text: "how much the bridge may hold of messages at once, in MiB: what clients send until it is carried out, and what they have not read"},
			{Name: "user-share", Value: "N", Default: "25", To: &f.userShare,
				Text: "how many percent of these numbers one user of --users may take, but for connections"},
			{Name: "stall", Value: "TIME", Default: "1m", To: &f.stall,
				Text: "how long a connection may take to send a request (a header: 10s), wait for its next one, or take nothing of an answer"},
			{Name: "grace", Value: "TIME", Default: "10s", To: &f.grace,
				Text: "how long requests may take to end once the bridge is to stop; calls that wait for somebody are kept, or end, at once"},
		},
		Check: f.problem,
	}
}

// problem is what is wrong with these flags.
func (f *clientLimits) problem() error {
	switch {
	case f.maxRequests < 1 || f.maxConnections < 1 || f.stall <= 0 || f.grace <= 0:
		return errors.New("--max-requests, --max-connections, --stall and --grace must be positive")
	case f.maxBody < 1 || f.maxBody > maxLine>>20:
		return errors.New("--max-body is from 1 to 64 MiB")
	case f.maxMemory < 16 || f.maxMemory > 1<<20:
		return errors.New("--max-memory is from 16 to 1048576 MiB")
	case f.userShare < 1 || f.userShare > 100:
		return errors.New("--user-share is from 1 to 100 percent")
	}
	return nil
}

// limits are what clients over HTTP get of the bridge. All connections may be of one
// address, a proxy's: what one user takes is bounded by their requests.
func (c *command) limits() serve.Limits {
	return serve.Limits{
		Header: min(c.stall, 10*time.Second), Body: c.stall, Idle: c.stall, Write: c.stall, Grace: c.grace, BodyBytes: int64(c.maxBody) << 20,
		Connections: serve.Share{All: c.maxConnections, Each: c.maxConnections}, Requests: c.share(c.maxRequests),
	}
}

// share is what one user may have of a number: everything, where there are none.
func (c *command) share(all int) serve.Share {
	if c.users == "" {
		return serve.Share{All: all, Each: all}
	}
	return serve.Share{All: all, Each: max(all*c.userShare/100, 1)}
}
