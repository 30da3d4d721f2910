package display

import "slices"

// Levels are those of MCP's log messages, which are those of RFC 5424, the least
// severe first.
func Levels() []string { return slices.Clone(levels) }

var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// Severity is a level's place, the least severe being 0, and -1 of one that
// there is not.
func Severity(level string) int { return slices.Index(levels, level) }
