//go:build !session

package main

// parleyLive counts the flows that are held.
//
//go:wasmexport parley_live
func parleyLive() uint32 { return flows.Live() }
