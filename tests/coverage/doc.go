// Package coverage says what of MCP is in, per version and host, and by which
// test it is known; and which scenarios of the official conformance suite are
// passed. README.md is written by
//
//	go test ./coverage -update
//
// from features.txt and from the lists of tests/conformance, and the test fails
// if it is not what they say, if a test that they name is gone, or if a cell has
// neither a test nor a reason.
//
// features.txt has a feature on a line of its own, its versions indented, and
// below each what proves it:
//
//	Asking with a form
//	  2026-07-28
//	    scripts  http-round
//	    terminal apps/parley/eras_test.go TestEras
//	    plugin   - it has no person
//
// Several versions may share a line. "2025-06-18: none, …" says why a version does
// not have the feature. Before the first feature, "default" lines fill the cells
// that nothing else fills. A proof begins with the column that it is for:
//
//	scripts   of engine/testdata/sessions, which Go, Node and three browsers replay
//	flows     of engine/testdata/flows, which the plug-in replays as well
//	suite     scenarios of the conformance suite, which Go and Node pass
//	go, node, page, terminal, bridge, plugin
//	          a file and the name of a test in it; or an address and what is there;
//	          or - and a reason
//
// A script must be of the version it is named for.
package coverage
