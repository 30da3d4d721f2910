package form

import "github.com/parley-mcp/parley/rawjson"

// Fill puts the schema's defaults into an answer where a property is missing:
// after what is there, in the order of the schema. What is there stays, byte
// for byte. It is for hosts that show no form; a person who was shown a default
// and took it out did not mean it. No content is an empty object, so that what
// comes of it is what a form starts with; content that is not a JSON object is
// returned as it is.
func (s Schema) Fill(content []byte) []byte {
	if len(content) == 0 {
		content = []byte("{}")
	}
	codes, _, err := s.match(nil, content)
	if err != nil {
		return content
	}
	end := len(content) - 1
	for content[end] != '}' {
		end--
	}
	for isSpace(content[end-1]) {
		end--
	}
	var filled rawjson.Writer
	filled.Raw(content[:end])
	for i, code := range codes {
		if f := &s.Fields[i]; code == Missing && f.Default != "" && !f.ReadOnly {
			filled.Comma()
			filled.Quoted(f.Name)
			filled.Put(":" + f.Default)
		}
	}
	filled.Raw(content[end:])
	return filled.Dst
}
