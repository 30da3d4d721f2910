package store

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// uptime is the time since this machine was started, without what it slept: the
// clock that package time measures with, and the same in all processes.
func uptime() time.Duration {
	var now unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // which every Linux has
	return time.Duration(now.Nano())
}

// uptimeName names what uptime counts from: a start of this machine and, where
// containers have clocks of their own, this container.
func uptimeName() (string, error) {
	started, err := boot()
	if err != nil || started == "" {
		return "", err
	}
	namespace, _ := os.Readlink("/proc/self/ns/time")
	return started + " " + namespace, nil
}
