package main

import (
	"errors"
	"flag"
	"time"

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

func (f *clientLimits) define(flags *flag.FlagSet) {
	flags.IntVar(&f.maxRequests, "max-requests", 500, "")
	flags.IntVar(&f.maxConnections, "max-connections", 1000, "")
	flags.IntVar(&f.maxBody, "max-body", 8, "")
	flags.IntVar(&f.maxMemory, "max-memory", 256, "")
	flags.IntVar(&f.userShare, "user-share", 25, "")
	flags.DurationVar(&f.stall, "stall", time.Minute, "")
	flags.DurationVar(&f.grace, "grace", 10*time.Second, "")
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
