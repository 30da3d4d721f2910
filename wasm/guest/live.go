//go:build !flows

package main

func liveFlows() uint32 { return 0 }
