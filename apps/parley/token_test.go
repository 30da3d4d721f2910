package main_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

const secretState = "the person said: 4242"

// guardToken is what a server with this key file hands out in the second round
// of a flow, with one question. It was minted some time ago.
func guardToken(t *testing.T, keyFile string, ago time.Duration) string {
	t.Helper()
	ring, err := seal.LoadKeyFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().Add(-ago)
	g, err := codec.NewGuard(codec.GuardOptions{Codec: aead, Audience: "a", TTL: 10 * time.Minute, Env: codec.Env{Rand: rand.Reader, Now: func() time.Time { return now }}})
	if err != nil {
		t.Fatal(err)
	}
	state, questions := secretState, []codec.Question{{Key: "k", Method: "elicitation/create", Params: []byte(`{"message":"?"}`)}}
	var token *string
	for range 2 {
		_, x, err := g.Open(codec.Binding{Method: "tools/call", Target: "t"}, token, nil)
		if err != nil {
			t.Fatal(err)
		}
		if token, err = g.Seal(x, &state, questions); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Minute)
	}
	return *token
}

func newKeyFile(t *testing.T) (name, id string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "server.key")
	got := run(t, "", "token", "new-key", name)
	got.check(t, 0, "")
	got.says(t, "key ", " is in "+name)
	if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the key file: got %v, %v", info.Mode(), err)
	}
	return name, got.stderr[len("key "):][:8]
}

func TestTokenInspect(t *testing.T) {
	keyFile, id := newKeyFile(t)
	token := guardToken(t, keyFile, 5*time.Minute)
	got := run(t, token+"\n", "token", "inspect", "--key-file", keyFile)
	if want := regexp.MustCompile(`^suite      11, XChaCha20-Poly1305
key        ` + id + `, the one that mints
length     \d+ characters
opens      under the context parley-guard/1
rounds     2 with questions
minted     20\S+Z, 4m ago
expires    20\S+Z, in 5m
flow since 20\S+Z, 5m ago
questions  1 pinned
state      21 bytes; --state prints it
$`); got.code != 0 || got.stderr != "" || !want.MatchString(got.stdout) {
		t.Errorf("got exit %d, %s%s", got.code, got.stdout, got.stderr)
	}
	if got := run(t, token, "token", "inspect", "--key-file", keyFile, "--state"); !strings.HasSuffix(got.stdout, "state      21 bytes:\n"+secretState+"\n") {
		t.Errorf("--state: got %s", got.stdout)
	}

	var seen map[string]any
	got = run(t, "", "token", "inspect", "--key-file", keyFile, "--json", file(t, token))
	if err := json.Unmarshal([]byte(got.stdout), &seen); err != nil || got.code != 0 {
		t.Fatalf("got exit %d, %v", got.code, err)
	}
	for name, want := range map[string]any{"suite": "11", "key": id, "keyRole": "mints", "opened": true, "context": "parley-guard/1", "rounds": 2.0, "questions": 1.0, "stateBytes": 21.0, "state": nil, "characters": float64(len(token))} {
		if seen[name] != want {
			t.Errorf("--json, %s: got %v, want %v", name, seen[name], want)
		}
	}

	got = run(t, token, "token", "inspect")
	got.check(t, 0, fmt.Sprintf("suite      11, XChaCha20-Poly1305\nkey        %s\nlength     %d characters\nopens      not tried: --key-file FILE or PARLEY_KEY_FILE names the keys\n", id, len(token)))

	other, _ := newKeyFile(t)
	got = run(t, token, "token", "inspect", "--key-file", other)
	got.says(t, "the key it names is not in the key file")
	if got.code != 3 || !strings.HasSuffix(got.stdout, "opens      no\n") {
		t.Errorf("another key: got exit %d, %s", got.code, got.stdout)
	}
}

// A token, a state or a key must show in nothing but the output asked for,
// whatever goes wrong.
func TestTokenShowsNothing(t *testing.T) {
	keyFile, _ := newKeyFile(t)
	token := guardToken(t, keyFile, 0)
	key, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	secret := strings.Fields(string(key))[2]
	changed := token[:60] + "AAAA" + token[64:]
	open := file(t, string(key))
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		stdin string
		args  []string
		code  int
		want  string
	}{
		"argument":      {"", []string{"inspect", token}, 3, "a token itself goes to standard input"},
		"verb":          {"", []string{token}, 2, "token needs one of"},
		"key as a flag": {"", []string{"open", "--key=" + secret}, 2, "token open has no such flag"},
		"key as a file": {"", []string{"open", "--key-file", keyFile, keyFile}, 3, "this is no token"},
		"token as flag": {"", []string{"inspect", "-" + token}, 2, "token inspect has no such flag"},
		"step":          {"", []string{"rotate", "x" + secret}, 2, "is accept, activate or drop"},
		"key":           {"", []string{"rotate", "drop", "x" + secret, "--key-file", keyFile}, 3, "8 hexadecimal digits"},
		"changed":       {changed, []string{"inspect", "--key-file", keyFile}, 3, "it was changed, or sealed under another context"},
		"cut":           {token[:88], []string{"inspect", "--key-file", keyFile}, 3, "it does not open"},
		"odd":           {token + "=", []string{"open", "--key-file", keyFile}, 3, "this is no token"},
		"long":          {strings.Repeat(token, 4000), []string{"open", "--key-file", keyFile}, 3, "this is no token"},
		"context":       {token, []string{"open", "--key-file", keyFile, "--context", "parley-sdk/1"}, 3, "sealed under another context"},
		"open key file": {token, []string{"inspect", "--key-file", open}, 3, "chmod 600"},
		"bad key file":  {token, []string{"inspect", "--key-file", file(t, string(key)+"x"+secret+"\n")}, 3, "line 2 of the key file"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := run(t, tt.stdin, append([]string{"token"}, tt.args...)...)
			got.says(t, "parley: ", tt.want)
			all := got.stdout + got.stderr
			if got.code != tt.code || strings.Contains(all, token[10:30]) || strings.Contains(all, secret[5:15]) || strings.Contains(all, secretState) {
				t.Errorf("got exit %d, want %d: %s", got.code, tt.code, all)
			}
		})
	}
}

func TestTokenSealOpen(t *testing.T) {
	keyFile, _ := newKeyFile(t)
	t.Setenv("PARLEY_KEY_FILE", keyFile)
	for _, text := range []string{"", "hello", "two\nlines\n", "\x00\xff"} {
		sealed := run(t, text, "token", "seal", "--context", "parley-sdk/1")
		if sealed.code != 0 || !regexp.MustCompile(`^[A-Za-z0-9_-]+\n$`).MatchString(sealed.stdout) {
			t.Fatalf("seal: got exit %d, %q", sealed.code, sealed.stdout)
		}
		run(t, sealed.stdout, "token", "open").check(t, 0, text)
	}
	if got := run(t, "hello", "token", "seal", "--context", "parley-sdk/1"); !strings.HasPrefix(run(t, got.stdout, "token", "inspect").stdout, "suite      11") {
		t.Errorf("inspect of what the SDK's context holds: got %q", got.stdout)
	}
	got := run(t, strings.Repeat("x", codec.MaxToken), "token", "seal", "--context", "x")
	got.check(t, 3, "")
	got.says(t, "too large")

	for _, suite := range []string{"21", "22"} {
		made := run(t, "", "token", "new-key", "-", "--suite", suite)
		age := filepath.Join(t.TempDir(), "age.key")
		if err := os.WriteFile(age, []byte(made.stdout), 0o600); err != nil {
			t.Fatal(err)
		}
		sealed := run(t, "hello", "token", "seal", "--context", "parley-sdk/1", "--key-file", age)
		run(t, sealed.stdout, "token", "open", "--key-file", age).check(t, 0, "hello")
		if seen := run(t, sealed.stdout, "token", "inspect", "--key-file", age); !strings.HasPrefix(seen.stdout, "suite      "+suite+", age") {
			t.Errorf("suite %s: got %s", suite, seen.stdout)
		}
	}
	run(t, "", "token", "new-key", "-", "--suite", "12").says(t, "unknown suite")
}

// TestTokenRotate takes a key file through the steps with the program.
func TestTokenRotate(t *testing.T) {
	keyFile, old := newKeyFile(t)
	t.Setenv("PARLEY_KEY_FILE", keyFile)
	step := func(code int, args ...string) string {
		t.Helper()
		got := run(t, "", append([]string{"token", "rotate"}, args...)...)
		if got.code != code {
			t.Errorf("rotate %v: got exit %d, want %d: %s", args, got.code, code, got.stderr)
		}
		return got.stderr
	}
	list := func(want string) {
		t.Helper()
		run(t, "", "token", "rotate").check(t, 0, want)
	}
	list(old + "  suite 11  mints\n")
	if said := step(3, "drop"); !strings.Contains(said, "there is no other key") {
		t.Errorf("got %s", said)
	}
	said := step(0, "accept")
	added := regexp.MustCompile(`^added ([0-9a-f]{8}),`).FindStringSubmatch(said)
	if added == nil || !strings.Contains(said, "parley token rotate activate "+added[1]) {
		t.Fatalf("got %s", said)
	}
	list(old + "  suite 11  mints\n" + added[1] + "  suite 11  opens\n")
	step(0, "accept")
	if said := step(3, "activate"); !strings.Contains(said, "which KEY to activate?") {
		t.Errorf("got %s", said)
	}
	if said := step(0, "activate", added[1]); !strings.Contains(said, added[1]+" mints now, and "+old+" still opens.") || !strings.Contains(said, "parley token rotate drop "+old) {
		t.Errorf("got %s", said)
	}
	if said := step(3, "activate", added[1]); !strings.Contains(said, "mints already") {
		t.Errorf("got %s", said)
	}
	if said := step(3, "drop", added[1]); !strings.Contains(said, "cannot be dropped") {
		t.Errorf("got %s", said)
	}
	if said := step(3, "drop", "00000000"); !strings.Contains(said, "no key 00000000") {
		t.Errorf("got %s", said)
	}
	step(0, "drop", old)
	if got := run(t, "", "token", "rotate").stdout; !strings.HasPrefix(got, added[1]+"  suite 11  mints\n") || strings.Contains(got, old) {
		t.Errorf("keys: got %s", got)
	}
	if left, _ := os.ReadDir(filepath.Dir(keyFile)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	run(t, "", "token", "new-key", keyFile).says(t, "there is a file "+keyFile)
}

// park leaves a call in a store with its second question open, and returns its
// ID.
func park(t *testing.T, dir string) string {
	t.Helper()
	before := stored(t, dir)
	got := run(t, "", "call", server(t), "update_work_item", "id:=7", "state=Resolved", "--state-dir", dir,
		"--script", file(t, `{"answers":[{"key":"resolution","action":"accept","content":{"resolution":"Duplicate"}}]}`))
	got.check(t, 3, "")
	got.says(t, "parked as ")
	for _, id := range stored(t, dir) {
		if !slices.Contains(before, id) {
			return id
		}
	}
	t.Fatal("nothing was parked")
	return ""
}

func callFile(t *testing.T, dir, id string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, id+".call", "*.call"))
	if err != nil || len(names) != 1 {
		t.Fatalf("files of %s: %v, %v", id, names, err)
	}
	return names[0]
}

// TestParkedSealed looks into the files of parked calls, changes them and takes
// their key away.
func TestParkedSealed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	id := park(t, dir)
	data, err := os.ReadFile(callFile(t, dir, id))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"Duplicate", "update_work_item", "requestState", "parked"} {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the file holds %q", secret)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "snapshot.key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: got %v, %v", info.Mode(), err)
	}
	refused := func(want string) {
		t.Helper()
		got := run(t, "", "resume", id, "--state-dir", dir)
		got.check(t, 3, "")
		got.says(t, "call "+id+" cannot be resumed: "+want)
		if got := run(t, "", "parked", "--state-dir", dir); !strings.Contains(got.stdout, "unreadable: "+want) {
			t.Errorf("parked: got %s", got.stdout)
		}
	}
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(callFile(t, dir, id), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	changed := bytes.Clone(data)
	about := bytes.IndexByte(changed, '\n') + 50 // what the list shows
	changed[about], changed[len(changed)-20] = changed[about]^1, changed[len(changed)-20]^1
	write(changed)
	refused("its file was changed")
	other, err := os.ReadFile(callFile(t, dir, park(t, dir)))
	if err != nil {
		t.Fatal(err)
	}
	write(other)
	refused("its file was changed since it was written, or is another call's")
	write([]byte(`{"parley":"parked"}`))
	refused("it is not sealed")
	write(data)
	key := filepath.Join(dir, "snapshot.key")
	run(t, "", "token", "new-key", key+"2").check(t, 0, "")
	kept, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(key+"2", key); err != nil {
		t.Fatal(err)
	}
	refused("it is sealed with a key that is not there any more")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	refused("there is no key file " + key)
	if err := os.WriteFile(key, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(t, "", "resume", id, "--state-dir", dir, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
	got.check(t, 0, "Work item 7 is unchanged: the user declined to name the original.\n")
}

// TestSnapshotKeyElsewhere keeps the key away from the calls.
func TestSnapshotKeyElsewhere(t *testing.T) {
	dir, key := t.TempDir(), filepath.Join(t.TempDir(), "snapshot.key")
	t.Setenv("PARLEY_SNAPSHOT_KEY_FILE", key)
	got := run(t, "", "call", server(t), "get_weather", "location=Oslo")
	got.check(t, 2, "")
	got.says(t, "PARLEY_SNAPSHOT_KEY_FILE: there is no key file "+key)
	run(t, "", "token", "new-key", key).check(t, 0, "")
	id := park(t, dir)
	if _, err := os.Stat(filepath.Join(dir, "snapshot.key")); err == nil {
		t.Error("a key was made beside the calls")
	}
	got = run(t, "", "resume", id, "--state-dir", dir, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
	got.check(t, 0, "Work item 7 is unchanged: the user declined to name the original.\n")
	checkEmpty(t, dir)
}

// TestRotateSnapshots seals parked calls anew: one that was never sealed, and
// not one that somebody has.
func TestRotateSnapshots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rotate := func(code int, says ...string) string {
		t.Helper()
		got := run(t, "", "token", "rotate", "--snapshots", "--state-dir", dir)
		got.check(t, code, "")
		got.says(t, says...)
		return got.stderr
	}
	keys := func() (ids []string) {
		t.Helper()
		ring, err := seal.LoadKeyFile(filepath.Join(dir, "snapshot.key"))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range ring.Keys() {
			ids = append(ids, fmt.Sprintf("%x", key.ID()))
		}
		return ids
	}
	rotate(0, "nothing is parked, and there is no key yet")
	a, b := park(t, dir), park(t, dir)
	first := keys()[0]
	files := &store.Files{Dir: dir, Box: &seal.KeyFileBox{Name: filepath.Join(dir, "snapshot.key")}}
	lease, snapshot, err := files.Take(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	said := rotate(3, "warning: "+b+" is not sealed anew: somebody else is at this call", "calls not sealed anew: 1 of 2. The old keys stay")
	if strings.Contains(said, "dropped") || len(keys()) != 2 || keys()[1] != first {
		t.Errorf("keys: got %v; %s", keys(), said)
	}
	files.Box, files.Unsealed = nil, true // as an earlier version left it
	if err := errors.Join(lease.Save(t.Context(), snapshot, store.About{}), lease.Release(t.Context())); err != nil {
		t.Fatal(err)
	}
	second := keys()[0]
	rotate(0, "calls sealed with key ", ": 2\n", "dropped "+first, second+" still opens; the next rotation drops it")
	if got := keys(); len(got) != 2 || got[1] != second {
		t.Errorf("keys: got %v, want a new one and %s", got, second)
	}
	for _, id := range []string{a, b} {
		data, err := os.ReadFile(callFile(t, dir, id))
		if err != nil {
			t.Fatal(err)
		}
		head, rest, _ := bytes.Cut(data, []byte("\n"))
		length, err := strconv.Atoi(string(head[bytes.LastIndexByte(head, ' ')+1:]))
		if err != nil || fmt.Sprintf("%x", rest[1:5]) != keys()[0] {
			t.Errorf("what is said about %s is sealed with %x, %v; want %s", id, rest[1:5], err, keys()[0])
		}
		if got := fmt.Sprintf("%x", rest[length+1:length+5]); got != keys()[0] {
			t.Errorf("%s is sealed with %s, want %s", id, got, keys()[0])
		}
		got := run(t, "", "resume", id, "--state-dir", dir, "--script", file(t, `{"answers":[{"key":"duplicate","action":"decline"}]}`))
		got.check(t, 0, "Work item 7 is unchanged: the user declined to name the original.\n")
	}
}
