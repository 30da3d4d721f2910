// Package system is what the programs do with the machine they run on: they open pages in a
// browser, start commands that outlive the terminal, write commands for a shell, name folders
// as roots, and choose the engine.
package system
