package account

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
)

// secrets are header fields that are no business of a command line, which other
// users of the machine can read, as can whoever reads the shell's history.
var secrets = []string{"Authorization", "Cookie", "Proxy-Authorization"}

// ours are header fields that the transport sets.
var ours = []string{"Accept", "Connection", "Content-Length", "Content-Type", "Host", "Last-Event-Id", "Origin", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

const (
	maxHeaders = 64 << 10 // bytes of a file
	maxFields  = 100
)

// field reads a header field, "Name: value".
func field(text string) (name, value string, err error) {
	name, value, ok := strings.Cut(text, ":")
	name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
	switch {
	case !ok || !isToken(name): // what it is may be a secret
		return "", "", errors.New("a header field looks like  Name: value")
	case strings.ContainsFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }):
		return "", "", fmt.Errorf("the header field %s has a character that cannot be sent", name)
	case slices.Contains(ours, name) || strings.HasPrefix(name, "Mcp-"):
		return "", "", fmt.Errorf("the header field %s is the protocol's own", name)
	}
	return name, value, nil
}

// public reads a header field of a command line.
func public(text string) (name, value string, err error) {
	name, value, err = field(text)
	if err == nil && slices.Contains(secrets, name) {
		return "", "", fmt.Errorf("%s does not go on the command line, which others on this machine can read and the shell remembers: "+
			"write it into a file that only you may read, and name that with --header-file, or a bearer token with --bearer-file", name)
	}
	return name, value, err
}

// readHeaders reads a file with a header field in each line.
func readHeaders(name string) (http.Header, error) {
	text, err := readSecret(name, maxHeaders)
	if err != nil {
		return nil, fmt.Errorf("the file with header fields %w", err)
	}
	header := http.Header{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, maxHeaders)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, err := field(line)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, n, err)
		}
		if header.Add(key, value); n > maxFields {
			return nil, fmt.Errorf("%s has more than %d lines", name, maxFields)
		}
	}
	if len(header["Authorization"]) > 1 {
		return nil, fmt.Errorf("%s has Authorization twice", name)
	}
	return header, nil
}

// readSecret reads a file that only its owner may use.
func readSecret(name string, most int64) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("cannot be opened: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows":
		return "", fmt.Errorf("can be used by others (mode %04o): run  chmod 600 %s", info.Mode().Perm(), name)
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s is longer than %d bytes", name, most)
	}
	return string(text), err
}

// isToken reports whether a text is a token of RFC 9110, section 5.6.2.
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", c)
	})
}
