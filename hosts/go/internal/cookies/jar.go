// Package cookies keeps what a server sets by Set-Cookie, in memory, and for its
// URL alone: balancers pin sessions by it. hosts/testdata/cookies has the rules,
// which are those of hosts/js and hosts/python, too.
package cookies

import (
	"cmp"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
)

const (
	maxCookies = 50   // that are kept; if there is one more, the one goes that was set longest ago
	maxCookie  = 4096 // bytes of a name and its value together
)

// Jar has the cookies of one session. It is safe for concurrent use.
type Jar struct {
	path   string // of the URL that requests go to
	secure bool   // nobody else reads what goes there

	mu      sync.Mutex
	account int
	current *Cookies
}

// New makes the jar for a session whose requests all go to one URL.
func New(address *url.URL) *Jar {
	ip, err := netip.ParseAddr(address.Hostname())
	loopback := address.Hostname() == "localhost" || err == nil && ip.Unmap().IsLoopback()
	j := &Jar{path: cmp.Or(address.EscapedPath(), "/"), secure: address.Scheme == "https" || loopback}
	j.current = &Cookies{jar: j}
	return j
}

// Of returns the cookies of the account that was the n-th to sign in after the
// first. A later account begins with none, and those of the one before are gone.
// An earlier one has none either, and what is set for it is not kept.
func (j *Jar) Of(n int) *Cookies {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case n < j.account:
		return &Cookies{jar: j}
	case n > j.account:
		j.account, j.current = n, &Cookies{jar: j}
	}
	return j.current
}

// Cookies are those of one account.
type Cookies struct {
	jar *Jar

	mu   sync.Mutex
	kept []cookie // in the order in which they were set
}

// Take keeps what the Set-Cookie fields of a response set, at a time in Unix
// milliseconds. What cannot be used is left out.
func (c *Cookies) Take(fields []string, now int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, field := range fields {
		set, ok := read(field, now)
		if !ok || set.secure && !c.jar.secure || !covers(cmp.Or(set.path, directory(c.jar.path)), c.jar.path) {
			continue
		}
		set.path = cmp.Or(set.path, directory(c.jar.path))
		c.kept = slices.DeleteFunc(c.kept, func(old cookie) bool {
			return old.until <= float64(now) || old.name == set.name && old.path == set.path
		})
		if set.until > float64(now) {
			c.kept = append(c.kept, set)
		}
		c.kept = c.kept[max(0, len(c.kept)-maxCookies):]
	}
}

// Field is the value of the Cookie field for a request, "" if there is none.
//
// Source: RFC 6265, 5.4: longer paths first, because servers take the first of two
// cookies with one name.
func (c *Cookies) Field(now int64) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = slices.DeleteFunc(c.kept, func(old cookie) bool { return old.until <= float64(now) })
	if len(c.kept) == 0 {
		return ""
	}
	sorted := slices.Clone(c.kept)
	slices.SortStableFunc(sorted, func(a, b cookie) int { return len(b.path) - len(a.path) })
	pairs := make([]string, len(sorted))
	for i, one := range sorted {
		pairs[i] = one.name + "=" + one.value
	}
	return strings.Join(pairs, "; ")
}

// directory is the path of a cookie that names none: RFC 6265, 5.1.4.
func directory(path string) string { return cmp.Or(path[:strings.LastIndexByte(path, '/')], "/") }

// covers reports whether a cookie's path is that of a request or above it: RFC
// 6265, 5.1.4.
func covers(above, path string) bool {
	return strings.HasPrefix(path, above) && (len(above) == len(path) || strings.HasSuffix(above, "/") || path[len(above)] == '/')
}
