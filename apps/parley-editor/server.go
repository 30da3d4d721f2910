package main

import (
	"os"
	"path/filepath"

	"github.com/parley-mcp/parley/apps/shared-go/server"
)

// complete fills in what the editor left out of a server, or says what is wrong.
func complete(s *server.Server) (err error) {
	switch {
	case s.URL != "" && s.Command != nil:
		return wrong("a server has a url or a command, not both")
	case s.URL != "":
		if server.HTTPURL(s.URL) == nil {
			return wrong("the server's url is no http or https URL, such as http://127.0.0.1:8080/mcp")
		}
	case len(s.Command) == 0 || s.Command[0] == "":
		return wrong("the request names no server: give it a url or a command")
	case s.Dir == "":
		if s.Dir, err = os.Getwd(); err != nil {
			return err
		}
	case !filepath.IsAbs(s.Dir):
		return wrong("the server's dir is no absolute path")
	}
	s.SetLabel()
	return nil
}
