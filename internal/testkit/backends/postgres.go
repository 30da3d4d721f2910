//go:build linux

package backends

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Postgres is a PostgreSQL server. Everybody on this machine is its superuser
// "parley", without a password; its files are not synced, since what a test kills
// is the server and not the machine.
type Postgres struct {
	Settings []string // of the next start: name=value
	program
	bin string
	who *syscall.Credential // nil for this process's
}

// NewPostgres makes a server's files in a new folder, and starts it. Close removes them.
func NewPostgres(settings ...string) (*Postgres, error) {
	p := &Postgres{Settings: settings}
	var err error
	if p.bin, err = postgresBin(); err != nil {
		return nil, err
	}
	if p.dir, err = os.MkdirTemp("", "postgres"); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 { // as whom it does not run
		who, err := user.Lookup("postgres")
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(p.dir))
		}
		uid, _ := strconv.Atoi(who.Uid)
		gid, _ := strconv.Atoi(who.Gid)
		p.who = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(p.dir, uid, gid); err != nil {
			return nil, errors.Join(err, os.RemoveAll(p.dir))
		}
	}
	said, err := p.command("initdb", "-D", p.data(), "-U", "parley", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync").CombinedOutput()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("initdb: %w: %.2000s", err, said), os.RemoveAll(p.dir))
	}
	if err := p.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(p.dir))
	}
	return p, nil
}

// postgresBin is where the programs are: Debian has them in a folder for each
// version.
func postgresBin() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", errors.New("there is no initdb of PostgreSQL: test.sh setup installs it")
	}
	return filepath.Dir(path), nil
}

func (p *Postgres) data() string { return filepath.Join(p.dir, "data") }

func (p *Postgres) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, name), args...)
	cmd.Dir = p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.who}
	return cmd
}

// Start starts it again, on the same port, with what it had written.
func (p *Postgres) Start() error {
	return p.start(func() *exec.Cmd {
		args := []string{"-D", p.data(), "-p", strconv.Itoa(p.port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"}
		for _, setting := range p.Settings {
			args = append(args, "-c", setting)
		}
		return p.command("postgres", args...)
	}, p.answers)
}

// answers reports whether a client is let in, or refused for what it is.
func (p *Postgres) answers() bool {
	conn, err := net.Dial("tcp", p.Address())
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Second))
	const hello = "\x00\x03\x00\x00user\x00parley\x00database\x00postgres\x00\x00"
	conn.Write(append([]byte{0, 0, 0, byte(4 + len(hello))}, hello...))
	answer := make([]byte, 512)
	n, err := conn.Read(answer)
	return err == nil && (answer[0] == 'R' || strings.Contains(string(answer[:n]), "\x00C28000\x00"))
}

// URL is the server's, for its superuser, with parameters: "&name=value".
func (p *Postgres) URL(parameters string) string {
	return "postgres://parley@" + p.Address() + "/postgres?durability=checked" + parameters
}

// Folder makes one that the server may use.
func (p *Postgres) Folder(name string) (string, error) {
	dir := filepath.Join(p.dir, name)
	err := os.Mkdir(dir, 0o700)
	if err == nil && p.who != nil {
		err = os.Chown(dir, int(p.who.Uid), int(p.who.Gid))
	}
	return dir, err
}

// File makes one that the server alone may read, or puts another in its place.
func (p *Postgres) File(name string, data []byte) (string, error) {
	file := filepath.Join(p.dir, name)
	err := os.WriteFile(file, data, 0o600)
	if err == nil && p.who != nil {
		err = os.Chown(file, int(p.who.Uid), int(p.who.Gid))
	}
	return file, err
}

// Close ends the server and removes what it had.
func (p *Postgres) Close() error {
	p.Continue()
	p.Kill()
	for { // what it started ends when it notices
		err := os.RemoveAll(p.dir)
		if err == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}
