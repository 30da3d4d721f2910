package gosdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/rawjson"
)

// maxSafe is the largest whole number that a float64 tells from its neighbours.
const maxSafe = 1<<53 - 1

// errRounded is for the person, who cannot send this number, and for the maker
// of the server, who can change that.
var errRounded = &jsonrpc.Error{
	Code: jsonrpc.CodeInternalError,
	Message: "An answer has a whole number beyond 9007199254740991, which this server's SDK rounds: " +
		"answer with another, or have the server's maker put gosdk.Exact around its handler",
}

var errNumber = errors.New("gosdk: a number beyond the range of a float64")

// readContent reads the content of an answer. A number is a float64, as the SDK
// has it; a whole one that a float64 would change is a json.Number.
func readContent(text []byte) (map[string]any, error) {
	var content map[string]any
	if err := decode(text, &content); err != nil {
		return nil, err
	}
	for name, value := range content {
		exact, err := exactly(value)
		if err != nil {
			return nil, err
		}
		content[name] = exact
	}
	return content, nil
}

// readValue is readContent for one value.
func readValue(text []byte) (any, error) {
	var value any
	if err := decode(text, &value); err != nil {
		return nil, err
	}
	return exactly(value)
}

func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// exactly makes a float64 of each json.Number that one can hold.
func exactly(value any) (_ any, err error) {
	switch value := value.(type) {
	case json.Number:
		return number(value)
	case []any:
		for i := range value {
			if value[i], err = exactly(value[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range value {
			if value[name], err = exactly(value[name]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

func number(n json.Number) (any, error) {
	f, err := n.Float64()
	d, ok := rawjson.ParseDecimal(string(n))
	switch {
	case err != nil || !ok:
		return nil, errNumber
	case !d.IsInteger() || rawjson.Compare(string(n), spelling(f)) == 0:
		return f, nil
	}
	return n, nil
}

// spelling is how a float64 is written: what it would come back as.
func spelling(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// found reports whether a value has a number for which is says so.
func found(value any, is func(number any) bool) bool {
	switch value := value.(type) {
	case float64, json.Number:
		return is(value)
	case []any:
		for _, one := range value {
			if found(one, is) {
				return true
			}
		}
	case map[string]any:
		for _, one := range value {
			if found(one, is) {
				return true
			}
		}
	}
	return false
}

// mayBeRounded: whether this may be what the SDK has made of another number.
func mayBeRounded(number any) bool {
	f, ok := number.(float64)
	return ok && math.Abs(f) > maxSafe && f == math.Trunc(f)
}

// isLarge: whether mayBeRounded would say so of what the SDK makes of this.
func isLarge(number any) bool {
	_, exact := number.(json.Number)
	return exact || mayBeRounded(number)
}

// restored is an answer with the numbers that the client sent, and without a
// default that the SDK may have rounded. It fails if the SDK may have rounded what
// the client sent, and [Exact] has not kept it.
func restored(res *mcp.ElicitResult) (*mcp.ElicitResult, error) {
	text, kept := res.Meta[exactMeta].(string)
	if !kept {
		if found(res.Content, mayBeRounded) {
			return nil, errRounded
		}
		return res, nil
	}
	content, err := readContent([]byte(text))
	if err != nil {
		return nil, errRounded
	}
	for name, value := range res.Content { // defaults, if the SDK has asked
		if _, given := content[name]; !given && !found(value, mayBeRounded) {
			content[name] = value
		}
	}
	meta := maps.Clone(res.Meta)
	if delete(meta, exactMeta); len(meta) == 0 {
		meta = nil
	}
	return &mcp.ElicitResult{Meta: meta, Action: res.Action, Content: content}, nil
}

// restoredAll does that to the answers of a request, in a map of its own: what
// was received stays as it is.
func restoredAll(answers mcp.InputResponseMap) (_ mcp.InputResponseMap, err error) {
	answers = maps.Clone(answers)
	for key, answer := range answers {
		if res, ok := answer.(*mcp.ElicitResult); ok {
			if answers[key], err = restored(res); err != nil {
				return nil, err
			}
		}
	}
	return answers, nil
}
