//go:build tinygo

package rawjson

const inModule = true
