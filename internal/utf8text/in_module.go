//go:build tinygo

package utf8text

const inModule = true
