package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// sealing is the codec of a key file's keys, which reads the file again at each
// SIGHUP until ctx ends. A file that cannot be used then changes nothing.
func sealing(ctx context.Context, file string, log *slog.Logger) (codec.Codec, error) {
	first, err := load(file, log)
	if err != nil {
		return nil, err
	}
	swap := seal.NewSwapCodec(first)
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		defer signal.Stop(hangup)
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangup:
			}
			next, err := load(file, log)
			if err != nil {
				log.Error("keys not read again, the ones before stay", "cause", err)
				continue
			}
			swap.Swap(next)
		}
	}()
	return swap, nil
}

func load(file string, log *slog.Logger) (codec.Codec, error) {
	ring, err := seal.LoadKeyFile(file)
	if err != nil {
		return nil, err
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	log.Info("keys read", "mints", fmt.Sprintf("%x", ring.Active().ID()), "opens", len(ring.Keys()))
	return aead, nil
}

func readUsers(file string) (users stories.Users, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if users, err = stories.ReadUsers(f); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return users, nil
}
