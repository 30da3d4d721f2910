//go:build linux

package backends

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Standby makes a copy of a running server in a new folder and starts it. It hears
// of everything that the server writes, which knows it by a name: with that in its
// synchronous_standby_names, the server confirms nothing before the standby has it.
func (p *Postgres) Standby(name string) (*Postgres, error) {
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		return nil, err
	}
	s := &Postgres{bin: p.bin, who: p.who, program: program{dir: dir}}
	if s.who != nil {
		err = os.Chown(dir, int(s.who.Uid), int(s.who.Gid))
	}
	if err == nil {
		from := fmt.Sprintf("host=127.0.0.1 port=%d user=parley application_name=%s", p.port, name)
		said, failed := s.command("pg_basebackup", "-D", s.data(), "-d", from, "-R", "-X", "stream", "-c", "fast", "--no-sync").CombinedOutput()
		if err = failed; err != nil {
			err = fmt.Errorf("pg_basebackup: %w: %.2000s", err, said)
		}
	}
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

// Promote has a standby take over.
func (p *Postgres) Promote() error {
	said, err := p.command("pg_ctl", "promote", "-D", filepath.Join(p.dir, "data")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("pg_ctl promote: %w: %.2000s", err, said)
	}
	return nil
}
