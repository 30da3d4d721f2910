package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// ledger is what the server saw and did.
type ledger struct {
	mu     sync.Mutex
	Counts map[string]int `json:"counts"`
	Users  []string       `json:"users"`  // of tokens, each once
	Tokens int            `json:"tokens"` // different ones that were good
	tokens []string
}

func (l *ledger) count(format string, values ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Counts[fmt.Sprintf(format, values...)]++
}

func (l *ledger) saw(token, user string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.tokens, token) {
		l.tokens = append(l.tokens, token)
		l.Tokens++
	}
	if !slices.Contains(l.Users, user) {
		l.Users = append(l.Users, user)
	}
}

// answers counts what requests are answered with, and tokens that came in a
// place where they must not be.
func (l *ledger) answers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" {
			l.count("queries")
		}
		next.ServeHTTP(&noting{w, l}, r)
	})
}

type noting struct {
	http.ResponseWriter
	seen *ledger
}

func (n *noting) WriteHeader(status int) {
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		n.seen.count("%d %s", status, strings.ToLower(http.StatusText(status)))
	}
	n.ResponseWriter.WriteHeader(status)
}

func (n *noting) Unwrap() http.ResponseWriter { return n.ResponseWriter }

func (n *noting) Flush() { http.NewResponseController(n.ResponseWriter).Flush() }
