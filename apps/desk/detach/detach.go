// Package detach keeps the terminal away from commands that the program starts:
// its Ctrl-C and its end do not reach them, and they cannot write to it.
package detach
