// Package interop starts MCP servers that are built on other people's SDKs and
// all offer the same, so that a client is tried against every one of them with
// one table of calls. README.md says what they offer and how each is run.
//
//	for _, server := range interop.Servers() {
//		t.Run(server.String(), func(t *testing.T) {
//			url := server.Start(t)
//			for _, c := range server.Cases(interop.HTTP) {
//				t.Run(c.Name, func(t *testing.T) {
//					person := c.Person()
//					// Make the call, let person answer what is asked.
//					c.Check(t, interop.Outcome{Text: text, Asked: person.Asked()})
//				})
//			}
//		})
//	}
//
// A server that cannot be had on this machine is skipped with the reason, and
// is an error where CI=true.
package interop
