package servers_test

import (
	"os"
	"regexp"
)

// pinned is the version that a file pins: the text that the pattern's group finds.
func pinnedBy(file, pattern string) func() string {
	return func() string {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			panic(file + " has no " + pattern)
		}
		return string(found[1])
	}
}

func npmVersion(name string) func() string {
	return pinnedBy("npm/package-lock.json", `"node_modules/`+regexp.QuoteMeta(name)+`": \{\s+"version": "([^"]+)"`)
}

func pythonVersion(requirements, name string) func() string {
	return pinnedBy(requirements, `(?m)^`+regexp.QuoteMeta(name)+`==(\S+)`)
}

func goVersion(module string) func() string {
	return pinnedBy("../go.mod", `(?m)^\t`+regexp.QuoteMeta(module)+` v(\S+)`)
}

func rustVersion(crate string) func() string {
	return pinnedBy("../interop/rust/Cargo.lock", `name = "`+crate+`"\nversion = "([^"]+)"`)
}
