package display

// Same compares two values as a result does, looking at so many bytes at most.
func Same(a, b string, effort int) bool {
	c := comparison{effort}
	return c.same([]byte(a), []byte(b), deepest)
}
