package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

func (c *tokenCommand) newKeyVerb() *verb {
	return c.finish(verb{
		name: "token new-key", args: []string{"FILE [FLAGS]"}, brief: "make a key file",
		text:   "Makes a key file with one new key. FILE may be - for standard output.\n",
		groups: []flags.Group{{Flags: []flags.Flag{c.suiteFlag()}}},
		read: func(before, after []string) error {
			args := append(before, after...)
			if len(args) != 1 {
				return errors.New("token new-key needs the FILE to make, or - for standard output")
			}
			c.file = args[0]
			return nil
		},
	}, func(_ context.Context, screen *console.Console) error { return c.newKey(screen) })
}

func (c *tokenCommand) rotateVerb() *verb {
	return c.finish(verb{
		name: "token rotate", args: []string{"[accept | activate | drop] [KEY] [FLAGS]", "--snapshots [FLAGS]"}, brief: "list or change the keys",
		text: `Lists the keys, or changes the key file, a step at a time. After each step give
the file to all instances of the server before the next:
  accept     adds a new key, which opens
  activate   makes it the one that mints
  drop       removes the other one, when the last state it minted has expired
KEY is the key's id, if there is a choice.
`,
		groups: []flags.Group{
			{Flags: []flags.Flag{c.keyFileFlag(), c.suiteFlag()}},
			{Text: "The key of parked calls:\n", Flags: []flags.Flag{
				{Name: "snapshots", To: &c.snapshots, Text: "seal all parked calls of yours with a new key, in one go. The previous key is kept until the next time, " +
					"for a parley that is just saving: run it twice to get rid of it"},
				stateFlag(&c.stateDir),
				{Name: "store", Value: "URL", To: &c.storeURL, Text: "where calls are kept instead; parley help call says more"},
			}},
		},
		read: func(before, after []string) error { return c.readRotation(append(before, after...)) },
	}, c.rotate)
}

// readRotation takes the arguments of parley token rotate.
func (c *tokenCommand) readRotation(args []string) error {
	if c.snapshots {
		if len(args) > 0 || c.suite != "" {
			return errors.New("token rotate --snapshots does all the steps at once, and takes no others")
		}
		var err error
		c.storeURL, err = saved.Where(c.storeURL, os.Getenv)
		return err
	}
	switch {
	case c.stateDir != "":
		return errors.New("--state-dir goes with --snapshots")
	case c.storeURL != "":
		return errors.New("--store goes with --snapshots")
	}
	if len(args) > 0 {
		if c.phase = args[0]; !slices.Contains([]string{"accept", "activate", "drop"}, c.phase) {
			return errors.New("the step of token rotate is accept, activate or drop")
		}
	}
	if len(args) > 1 {
		c.key = args[1]
	}
	if len(args) > 2 || c.phase == "accept" && c.key != "" {
		return errors.New("token rotate takes a step and, to activate or drop, a KEY")
	}
	if c.suite != "" && c.phase != "accept" {
		return errors.New("--suite goes with accept: it is for a new key")
	}
	return nil
}

// newKey makes a key file.
func (c *tokenCommand) newKey(screen *console.Console) error {
	suite, err := c.newSuite(codec.SuiteXChaCha)
	if err != nil {
		return err
	}
	line, err := seal.GenerateKey(suite)
	if err != nil {
		return err
	}
	defer clear(line)
	ring, err := codec.ParseKeyRing(line)
	if err != nil {
		return err
	}
	if c.file == "-" {
		if info, err := c.out.file.Stat(); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
			screen.Warn("others may read the file that this goes to, and parley will not use it: run chmod 600 on it")
		}
		_, err = c.out.Write(line)
		return err
	}
	err = seal.CreateKeyFile(c.file, line)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("there is a file %s: parley token rotate accept adds a key to it", c.file)
	}
	if err == nil {
		screen.Say("key %x is in %s", ring.Active().ID(), plain.Line(c.file, maxMessage))
	}
	return err
}

// newSuite is the suite of a new key.
func (c *tokenCommand) newSuite(usual byte) (byte, error) {
	if c.suite == "" {
		return usual, nil
	}
	suite, err := strconv.ParseUint(c.suite, 16, 8)
	if err != nil {
		return 0, errors.New("--suite is 11, or 21 or 22 for age tokens")
	}
	return byte(suite), nil
}

// rotate does a step of a rotation, or lists the keys.
func (c *tokenCommand) rotate(ctx context.Context, screen *console.Console) error {
	switch {
	case c.snapshots:
		return c.rotateSnapshots(ctx, screen)
	case c.keyFile == "":
		return errNoKeyFile
	case c.phase == "":
		return c.listKeys()
	}
	var said string
	err := seal.UpdateKeyFile(c.keyFile, func(text []byte) (changed []byte, err error) {
		changed, said, err = c.step(text)
		return changed, err
	})
	if err == nil {
		screen.Say("%s", said)
	}
	return err
}

// step makes the next key file, and says what was done and what comes next.
func (c *tokenCommand) step(text []byte) (changed []byte, said string, err error) {
	ring, err := codec.ParseKeyRing(text)
	if err != nil {
		return nil, "", err
	}
	next := "Next: give " + plain.Line(c.keyFile, maxMessage) + " to every instance of the server"
	if c.phase == "accept" {
		suite, err := c.newSuite(ring.Active().Suite())
		if err != nil {
			return nil, "", err
		}
		changed, id, err := seal.AcceptKey(text, suite)
		return changed, fmt.Sprintf("added %x, which opens and does not mint yet.\n%s, and then  %s", id, next, c.rotateLine("activate", fmt.Sprintf("%x", id))), err
	}
	id, err := c.chosen(ring)
	if err != nil {
		return nil, "", err
	}
	if c.phase == "activate" {
		old := ring.Active().ID()
		if id == old {
			return nil, "", fmt.Errorf("%x is the key that mints already", id)
		}
		changed, err = seal.ActivateKey(text, id)
		return changed, fmt.Sprintf("%x mints now, and %x still opens.\n%s, wait for as long as a state is good for (the server's ttl), and then  %s", id, old, next, c.rotateLine("drop", fmt.Sprintf("%x", old))), err
	}
	changed, err = seal.DropKey(text, id)
	return changed, fmt.Sprintf("dropped %x: what it sealed opens nowhere any more.\n%s.", id, next), err
}

// chosen is the key that was named, or the only one it can be.
func (c *tokenCommand) chosen(ring *codec.KeyRing) (id codec.KeyID, err error) {
	if c.key != "" {
		raw, err := hex.DecodeString(c.key)
		if err != nil || len(raw) != len(id) {
			return id, fmt.Errorf("a KEY is named by its 8 hexadecimal digits; this lists them:  %s", c.rotateLine())
		}
		return codec.KeyID(raw), nil
	}
	switch keys := ring.Keys(); len(keys) {
	case 1:
		return id, fmt.Errorf("there is no other key; this adds one:  %s", c.rotateLine("accept"))
	case 2:
		return keys[1].ID(), nil
	}
	return id, fmt.Errorf("which KEY to %s? This lists them:  %s", c.phase, c.rotateLine())
}

// rotateLine is another step with the same keys.
func (c *tokenCommand) rotateLine(step ...string) string {
	words := append([]string{"parley", "token", "rotate"}, step...)
	if c.keyFile != os.Getenv(envKeyFile) {
		words = append(words, "--key-file", c.keyFile)
	}
	return system.ShellLine(words...)
}

func (c *tokenCommand) listKeys() error {
	ring, err := c.ring()
	if err != nil {
		return err
	}
	for _, key := range ring.Keys() {
		fmt.Fprintf(c.out, "%x  suite %02x  %s\n", key.ID(), key.Suite(), role(ring, key.ID()))
	}
	return nil
}
