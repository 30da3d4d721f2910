// Command parts lists and runs the parts of the tests. build.sh calls it in the
// root of the repository, as
//
//	parts list
//	parts test [all | PART...]
//
// A part is a folder with a test.sh. "test.sh setup" installs what the part
// needs, "test.sh run" tests it, and exit code 77 means that it can't run on this
// machine. Two lines of its head are read:
//
//	# needs: go python   what it needs; more than Go, Node and npm: only "all" runs it
//	# seconds: 30        how long it takes, about; the longest go first. 10 if not said
//
// Setting up mostly waits, for a network or for another that installs. So as many
// parts are set up at once as are tested beside them, JOBS of each, and each is
// tested as soon as it is set up.
package main
