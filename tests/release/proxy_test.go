package release_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

const (
	library = "github.com/parley-mcp/parley"
	version = "v0.1.0"
)

// publish lays out the library, its modules for signing in and for each store, and
// the apps of this checkout as a module proxy does once they are tagged, in folders
// only, and returns the settings that make the go command of another project use it.
func publish(t *testing.T) (environment []string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	proxy, files := t.TempDir(), tracked(t, root)
	offer(t, proxy, library, root, files)
	offer(t, proxy, library+"/hosts/go/oauth", filepath.Join(root, "hosts/go/oauth"), under("hosts/go/oauth/", files))
	offer(t, proxy, library+"/hosts/go/store/postgres", filepath.Join(root, "hosts/go/store/postgres"), under("hosts/go/store/postgres/", files))
	offer(t, proxy, library+"/hosts/go/store/redis", filepath.Join(root, "hosts/go/store/redis"), under("hosts/go/store/redis/", files))
	offer(t, proxy, library+"/apps", filepath.Join(root, "apps"), under("apps/", files))

	// What the go command downloaded for this checkout serves the rest.
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache, upstream, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir(), "GONOSUMDB="+library,
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(cache, "cache", "download")+","+upstream)
}

// tracked lists the files of the checkout that a tag would have, as they are now.
func tracked(t *testing.T, root string) []string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-co", "--exclude-standard", "-z")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func under(folder string, files []string) (within []string) {
	for _, file := range files {
		if rest, ok := strings.CutPrefix(file, folder); ok {
			within = append(within, rest)
		}
	}
	return within
}

// offer writes one module's files as a proxy serves them.
func offer(t *testing.T, proxy, path, folder string, files []string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	var list []modzip.File
	nested := nestedModules(files)
	for _, file := range files {
		if info, err := os.Lstat(filepath.Join(folder, file)); err != nil || !info.Mode().IsRegular() || nested(file) {
			continue // deleted, a link, or another module's
		}
		list = append(list, source{folder, file})
	}
	var archive bytes.Buffer
	if err := modzip.Create(&archive, module.Version{Path: path, Version: version}, list); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	info, _ := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	for name, content := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": mod, version + ".zip": archive.Bytes()} {
		if err := os.WriteFile(filepath.Join(at, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// nestedModules tells which files belong to a module below.
func nestedModules(files []string) func(file string) bool {
	var folders []string
	for _, file := range files {
		if folder, ok := strings.CutSuffix(file, "/go.mod"); ok {
			folders = append(folders, folder+"/")
		}
	}
	return func(file string) bool {
		for _, folder := range folders {
			if strings.HasPrefix(file, folder) {
				return true
			}
		}
		return false
	}
}

// source is a file for package zip.
type source struct{ folder, path string }

func (s source) Path() string                 { return filepath.ToSlash(s.path) }
func (s source) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(s.folder, s.path)) }
func (s source) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(s.folder, s.path)) }
