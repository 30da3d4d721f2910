package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
)

// access is who may call.
type access struct {
	origins  []string
	hosts    []string // names of this machine for those who reach it through a proxy
	loopback bool     // nobody but this machine reaches the bridge
	users    users
}

// users are people by the SHA-256 of their bearer tokens, so that looking one up
// tells nothing of the others.
type users map[[sha256.Size]byte]string

// of is whose a token is, "" if nobody's.
func (u users) of(token string) string { return u[sha256.Sum256([]byte(token))] }

// guard lets through what may call. A page of another site could otherwise use
// the browser to reach a bridge on this machine, also by a name of its own that
// leads here.
//
// Source: MCP 2025-11-25 and 2026-07-28, basic/transports, security warning:
// servers MUST validate the Origin header.
func (a *access) guard(next http.Handler) http.Handler {
	return a.guardHost(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		switch {
		case origin != "" && !slices.Contains(a.origins, origin):
			http.Error(w, "pages of this origin may not call: see --origin", http.StatusForbidden)
			return
		case origin != "":
			allowOrigin(w.Header(), origin)
		}
		if r.Method == http.MethodOptions && origin != "" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if a.users != nil {
			token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			user := a.users.of(token)
			if user == "" {
				w.Header().Set("WWW-Authenticate", "Bearer")
				http.Error(w, "there is no bearer token of a user", http.StatusUnauthorized)
				return
			}
			r = r.WithContext(context.WithValue(r.Context(), userKey{}, user))
		}
		next.ServeHTTP(w, r)
	}))
}

// guardHost lets through what came to a name of the bridge's.
func (a *access) guardHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.loopback && !isLoopback(r.Host) && !a.isNamed(r.Host) {
			http.Error(w, "the Host header is not an address of this machine: see --host", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func allowOrigin(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name")
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id")
	h.Set("Access-Control-Max-Age", "600")
}

// isNamed reports whether a Host header is one of those that were named.
func (a *access) isNamed(host string) bool {
	same := func(named string) bool { return spelling(named) == spelling(host) }
	return slices.ContainsFunc(a.hosts, same)
}

// isLoopback reports whether a Host header names this machine.
func isLoopback(host string) bool {
	name, _ := splitHost(host)
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// spelling is a Host header as all that mean the same by it are compared: letter case
// means nothing, nor does a dot at the end, nor a port that need not be said.
//
// Source: RFC 9110, 4.2.3; RFC 3986, 3.2.2.
func spelling(host string) string {
	name, port := splitHost(host)
	if port == "" || port == "80" || port == "443" {
		return name
	}
	return net.JoinHostPort(name, port)
}

func splitHost(host string) (name, port string) {
	name = host
	if before, after, err := net.SplitHostPort(host); err == nil {
		name, port = before, after
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		if address, ok := strings.CutSuffix(inner, "]"); ok {
			name = address
		}
	}
	return strings.ToLower(strings.TrimSuffix(name, ".")), port
}

const (
	minToken = 16 // characters: nobody guesses them
	maxFile  = 1 << 20
)

// readUsers reads lines "user token"; empty ones and those that begin with "#"
// are skipped. An error says nothing of what is on a line.
func readUsers(name string) (users, error) {
	text, err := readSmall(name)
	if err != nil {
		return nil, fmt.Errorf("--users: %w", err)
	}
	all := users{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 2 || len(fields[1]) < minToken {
			return nil, fmt.Errorf(`--users: line %d is not "user token" with a token of at least %d characters`, number, minToken)
		}
		key := sha256.Sum256([]byte(fields[1]))
		if all[key] != "" {
			return nil, fmt.Errorf("--users: line %d has a token that another user has", number)
		}
		all[key] = fields[0]
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--users: %w", err)
	}
	if len(all) == 0 {
		return nil, errors.New("--users: there is no user in the file")
	}
	return all, nil
}

// readBearer reads the token for the server.
func readBearer(name string) (string, error) {
	token, err := readOne(name)
	if err != nil {
		return "", fmt.Errorf("--bearer-file: %w", err)
	}
	return token, nil
}

// readOne reads a file with one secret.
func readOne(name string) (string, error) {
	text, err := readSmall(name)
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(string(text))
	if secret == "" || strings.ContainsFunc(secret, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", errors.New("there is not one token in the file")
	}
	return secret, nil
}

func readSmall(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("it is longer than %d bytes", maxFile)
	}
	return os.ReadFile(name)
}
