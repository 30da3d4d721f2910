//go:build linux

package backends

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
)

// Redis is a Redis server.
type Redis struct {
	User string   // before the address in its URL: "name:password@"
	Args []string // of the next start
	program
}

// NewRedis starts one that keeps what it writes in a folder.
func NewRedis(dir string, args ...string) (*Redis, error) {
	r := &Redis{program: program{dir: dir}, Args: args}
	return r, r.Start()
}

// Start starts it again, on the same port, with what it had written.
func (r *Redis) Start() error {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("redis-check-rdb") // the same program, in Debian's package redis-tools
	}
	if err != nil {
		return errors.New("there is no redis-server on the PATH: test.sh setup installs it")
	}
	return r.start(func() *exec.Cmd {
		cmd := exec.Command(path)
		cmd.Args = append([]string{"redis-server", "--bind", "127.0.0.1", "--port", strconv.Itoa(r.port), "--dir", r.dir, "--save", ""}, r.Args...)
		return cmd
	}, func() bool {
		reply, err := r.Try("PING")
		return err == nil || strings.HasPrefix(reply, "-NOAUTH")
	})
}

// URL is the server's, with what is behind the address.
func (r *Redis) URL(rest string) string {
	return fmt.Sprintf("redis://%s%s%s", r.User, r.Address(), rest)
}

// Try sends a command over a connection of its own, and returns what comes back
// at once: a line, or a text.
func (r *Redis) Try(words ...string) (string, error) { return ask(r.Address(), words) }

func ask(address string, words []string) (string, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	fmt.Fprintf(conn, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(conn, "$%d\r\n%s\r\n", len(word), word)
	}
	lines := bufio.NewReader(conn)
	line, err := lines.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimSpace(line)
	if moved, elsewhere := strings.CutPrefix(line, "-MOVED "); elsewhere { // a cluster's
		_, at, _ := strings.Cut(moved, " ")
		return ask(at, words)
	}
	switch {
	case strings.HasPrefix(line, "-"):
		return line, errors.New(line)
	case strings.HasPrefix(line, "$") && line != "$-1":
		n, _ := strconv.Atoi(line[1:])
		text := make([]byte, n)
		_, err := io.ReadFull(lines, text)
		return string(text), err
	}
	return line, nil
}

// Commands is how many commands the server has run, by its own count.
func (r *Redis) Commands() (n int, err error) {
	said, err := r.Try("INFO", "commandstats")
	for line := range strings.Lines(said) {
		name, rest, _ := strings.Cut(line, ":calls=")
		calls, _, ok := strings.Cut(rest, ",")
		if ok && name != "cmdstat_info" && name != "cmdstat_ping" {
			more, err := strconv.Atoi(calls)
			if err != nil {
				return 0, err
			}
			n += more
		}
	}
	return n, err
}
