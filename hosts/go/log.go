package parley

import (
	"context"
	"errors"
	"log/slog"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// What is logged never has params, results, requestState, answers or snapshots
// in it: of these only sizes are told.

// logger is the one that a host gave, or one that is silent.
func logger(given *slog.Logger) *slog.Logger {
	if given == nil {
		return slog.New(slog.DiscardHandler)
	}
	return given
}

// isLogged reports whether anything but warnings is.
func isLogged(l *slog.Logger) bool { return l.Enabled(context.Background(), slog.LevelDebug) }

// logAction logs what a call has to tell.
func logAction(l *slog.Logger, a any) {
	if !isLogged(l) {
		return
	}
	switch a := a.(type) {
	case engine.Leg:
		if a.Answer == "" {
			l.Debug("leg out", "leg", a.Leg, "method", a.Method, "bytes", a.Size)
		} else {
			l.Debug("leg back", "leg", a.Leg, "answer", a.Answer, "bytes", a.Size, "stateBytes", a.State, "questions", a.Asks)
		}
	case engine.Pause:
		l.Debug("pause", "until", a.Until)
	case engine.Task:
		l.Debug("task", "status", a.Status)
	case engine.Note:
		l.Debug("note", "kind", string(a.Kind), "flow", a.Flow, "leg", a.Leg, "round", a.Round)
	case engine.Ask:
		l.Debug("question", "ask", a.ID, "kind", string(a.Kind), "mode", string(a.Mode), "round", a.Round, "again", a.Problem != "")
	}
}

func logSave(l *slog.Logger, snapshot []byte) {
	if isLogged(l) {
		l.Debug("saved", "bytes", len(snapshot))
	}
}

// logEnd logs how a call ended.
func logEnd(l *slog.Logger, out Outcome, err error) {
	if !isLogged(l) {
		return
	}
	var failed *Error
	switch {
	case errors.As(err, &failed):
		l.Debug("call failed", "code", int(failed.Code), "why", failed.Code.String(), "resumable", failed.Resumable, "inDoubt", failed.InDoubt)
	case err != nil:
		l.Debug("call failed", "why", err.Error())
	case out.Parked:
		l.Debug("call parked", "bytes", len(out.Snapshot))
	default:
		l.Debug("call done", "bytes", len(out.Result), "cached", out.Cached)
	}
}

// logTold logs what a session has to tell.
func logTold(l *slog.Logger, a session.Action) {
	switch a := a.(type) {
	case session.Ready:
		l.Debug("ready", "version", a.Version)
	case session.Subscribed:
		l.Debug("subscribed", "reason", a.Reason.String(), "over", a.Over)
	case session.Changed:
		l.Debug("changed", "missed", a.Missed)
	case session.Warning:
		l.Warn(a.Text.String())
	case session.Notification:
		l.Debug("notification", "method", a.Method, "bytes", len(a.Params))
	}
}
