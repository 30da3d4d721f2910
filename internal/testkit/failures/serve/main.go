// Serve serves the failures of hosts/testdata/verdicts to hosts in other
// languages. It prints one line of JSON and ends with its standard input:
//
//	{"ca": PEM of the certificate to be trusted, "cases": {NAME: {"url": …, "proxy": …, "signed": …}}}
//
// With -program NAME it is the server over stdio of that case.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/parley-mcp/parley/internal/testkit/failures"
)

func main() {
	program := flag.String("program", "", "be the server over stdio of this `case`")
	folder := flag.String("cases", "hosts/testdata/verdicts", "`folder` of the cases")
	flag.Parse()
	code, err := serve(*folder, *program)
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
	}
	os.Exit(code)
}

func serve(folder, program string) (int, error) {
	cases, err := failures.Read(folder)
	if err != nil {
		return 1, err
	}
	if program != "" {
		for _, c := range cases {
			if c.Name == program && c.Program != nil {
				return c.Program.Run(os.Stdin, os.Stdout), nil
			}
		}
		return 1, fmt.Errorf("there is no program of the case %q", program)
	}
	s, err := failures.Serve(cases)
	if err != nil {
		return 1, err
	}
	defer s.Close()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"ca": string(s.CA), "cases": s.At}); err != nil {
		return 1, err
	}
	io.Copy(io.Discard, os.Stdin)
	return 0, nil
}
