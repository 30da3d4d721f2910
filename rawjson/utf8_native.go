//go:build !tinygo

package rawjson

const inModule = false
