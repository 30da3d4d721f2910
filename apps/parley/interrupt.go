package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interrupts are Ctrl-C and the signals that want the program to end.
type interrupts struct {
	mu  sync.Mutex
	ask func() bool
}

// context ends with the first of them, but for a Ctrl-C that somebody takes, and
// after a call of before. From there on they end the program, whatever it does,
// and after stop, too.
func (i *interrupts) context(before func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-signals:
				if s != os.Interrupt || !i.taken() {
					before()
					signal.Stop(signals)
					cancel()
				}
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}

// takenBy has Ctrl-C ask somebody first, who reports whether that is enough.
func (i *interrupts) takenBy(ask func() bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ask = ask
}

func (i *interrupts) taken() bool {
	i.mu.Lock()
	ask := i.ask
	i.mu.Unlock()
	return ask != nil && ask()
}
