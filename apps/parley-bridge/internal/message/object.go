package message

import "github.com/parley-mcp/parley/rawjson"

// Get is the value at a path of member names, nil where there is none.
func Get(object []byte, path ...string) []byte {
	for _, name := range path {
		object = rawjson.Member(object, name)
	}
	return object
}

// Text is the string at a path, "" where there is none.
func Text(object []byte, path ...string) string {
	token := Get(object, path...)
	if !rawjson.IsString(token) {
		return ""
	}
	text, _ := rawjson.Unquote(token)
	return text
}

// IsTrue reports whether true is at a path.
func IsTrue(object []byte, path ...string) bool { return string(Get(object, path...)) == "true" }

// Quote is text as a JSON string.
func Quote(text string) []byte { return rawjson.AppendQuoted(nil, text) }

// With is an object with a member put first, in place of any of that name. The
// rest stays as it is, byte for byte.
func With(object []byte, name string, value []byte) []byte {
	b := append(rawjson.AppendQuoted([]byte{'{'}, name), ':')
	return appendRest(append(b, value...), object, name)
}

// Without is an object without the members of these names.
func Without(object []byte, names ...string) []byte {
	return appendRest([]byte{'{'}, object, names...)
}

func appendRest(b, object []byte, without ...string) []byte {
	if rawjson.IsObject(object) {
		var m rawjson.Members
	members:
		for m.Start(object); m.Next(); {
			for _, name := range without {
				if m.Is(name) {
					continue members
				}
			}
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(append(append(b, m.Name...), ':'), m.Value...)
		}
	}
	return append(b, '}')
}
