package cookies

import (
	"math"
	"strconv"
	"strings"
	"time"
)

type cookie struct {
	name, value string
	path        string  // "" if the server named none
	until       float64 // in Unix milliseconds; infinite if it lasts as long as the session
	secure      bool
}

const blank = " \t"

// read reads a Set-Cookie field. Names and values go back as they came, byte for
// byte: net/http drops a value with a quote or a backslash in it, and writes one
// with a space anew. One with a control character, or longer than may be, is not
// kept. What else the server says about a cookie does not matter here: there is one
// host that it could go to, whatever its Domain, and no page that could read it.
//
// Source: RFC 6265, 5.2.
func read(field string, now int64) (c cookie, ok bool) {
	if strings.ContainsFunc(field, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return c, false
	}
	pair, attributes, _ := strings.Cut(field, ";")
	name, value, ok := strings.Cut(pair, "=")
	c.name, c.value = strings.Trim(name, blank), strings.Trim(value, blank)
	if !ok || c.name == "" || len(c.name)+len(c.value) > maxCookie {
		return c, false
	}
	var age, expires string
	for attribute := range strings.SplitSeq(attributes, ";") {
		name, value, _ := strings.Cut(attribute, "=")
		value = strings.Trim(value, blank)
		switch strings.ToLower(strings.Trim(name, blank)) {
		case "max-age":
			age = value
		case "expires":
			expires = value
		case "path":
			if c.path = ""; strings.HasPrefix(value, "/") {
				c.path = value
			}
		case "secure":
			c.secure = true
		}
	}
	c.until = lasts(age, expires, now)
	return c, true
}

// dates are how servers write them: RFC 9110, 5.6.7, and with dashes as PHP did.
var dates = [...]string{"Mon, _2 Jan 2006 15:04:05 MST", "Mon, _2-Jan-2006 15:04:05 MST", time.RFC850, time.ANSIC}

// lasts is until when a cookie does. Max-Age counts before Expires.
func lasts(age, expires string, now int64) float64 {
	if digits := strings.TrimPrefix(age, "-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
		seconds, _ := strconv.ParseFloat(age, 64) // infinite if it is too large
		return float64(now) + 1000*seconds
	}
	for _, layout := range dates {
		if at, err := time.ParseInLocation(layout, strings.ToUpper(expires), time.UTC); err == nil {
			return float64(at.UnixMilli())
		}
	}
	return math.Inf(1)
}
