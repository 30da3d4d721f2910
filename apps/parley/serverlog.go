package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
)

// openLog is where a server's standard error goes: to the file of --server-log
// as it is, or onto the screen.
func (c *command) openLog(screen *console.Console) (log io.Writer, end func(), err error) {
	if c.serverLog == "" {
		lines := &display.Lines{Tell: func(line string) { screen.Log(c.Label, line) }}
		return lines, lines.End, nil
	}
	file, err := os.OpenFile(c.serverLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("--server-log: %w", err)
	}
	return file, func() { file.Close() }, nil
}

func (c *command) logLevelFlag() flags.Flag {
	return flags.Flag{Name: "log-level", Value: "LEVEL", To: &c.logLevel, Text: "what the server is asked to log to you: debug, info, notice, warning, error, ... " +
		"(default: nothing, but servers of earlier versions may log all the same)"}
}

func checkLogLevel(level string) error {
	if levels := display.Levels(); level != "" && !slices.Contains(levels, level) {
		return fmt.Errorf("--log-level is one of %s, not %q", strings.Join(levels, ", "), level)
	}
	return nil
}
