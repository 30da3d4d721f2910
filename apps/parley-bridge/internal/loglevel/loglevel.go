// Package loglevel orders the levels of log messages.
package loglevel

import "slices"

// levels are those of RFC 5424, the least severe first.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// Severity is a level's place, the least severe being 0, and -1 of one that
// there is not.
func Severity(level string) int { return slices.Index(levels, level) }
