// Package account signs in to servers for the apps: it keeps accounts beside the
// parked calls, and makes of flags and the environment what authorizes requests.
package account

import (
	"path/filepath"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// Store is where the accounts are kept that somebody signed in to: in the
// directory "accounts" of an app's, sealed. Nothing is made, and no keyring
// asked, before there is an account.
func Store(dir string) *oauth.Files {
	dir = filepath.Join(dir, "accounts")
	files := &oauth.Files{Dir: dir}
	files.Box = &box{dir: dir, files: files}
	return files
}
