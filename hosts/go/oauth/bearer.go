package oauth

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Bearer is for [parley.StreamableHTTP]: it sends the token that source returns,
// which is called for every request. "" sends none.
func Bearer(source func(ctx context.Context) (string, error)) func(ctx context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		token, err := source(ctx)
		switch {
		case err != nil || token == "":
			return "", err
		case !isToken(token):
			return "", &Error{Code: ErrUsage, Text: "the bearer token has a character that cannot be sent, such as a space or a line break."}
		}
		return "Bearer " + token, nil
	}
}

// TokenFile is a source for [Bearer]: the first line of a file, which is read
// again for every request, so that whoever renews the token only writes the
// file. It fails for a file that others may use, if the system can tell.
func TokenFile(name string) func(ctx context.Context) (string, error) {
	return func(context.Context) (string, error) {
		f, err := os.Open(name)
		if err != nil {
			return "", &Error{Code: ErrUsage, Text: fmt.Sprintf("the file with the bearer token cannot be opened: %v.", err), Err: err}
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			return "", &Error{Code: ErrUsage, Text: fmt.Sprintf("the file with the bearer token can be used by others (mode %04o): run  chmod 600 %s", info.Mode().Perm(), name)}
		}
		line := bufio.NewScanner(f)
		line.Buffer(nil, 64<<10)
		if !line.Scan() {
			return "", &Error{Code: ErrUsage, Text: "the file " + name + " has no bearer token in its first line."}
		}
		return strings.TrimSpace(line.Text()), nil
	}
}
