package plain_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/parley-mcp/parley/apps/internal/plain"
)

func TestText(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"empty":           {"", ""},
		"text":            {"Grüße, 世界! «1 000 €»", "Grüße, 世界! «1 000 €»"},
		"lines":           {"a\nb\r\nc", "a\nb\nc"},
		"tab":             {"a\tb", "a    b"},
		"emoji":           {"👩‍💻 ❤️ 👍🏽 🇳🇴", "👩‍💻 ❤️ 👍🏽 🇳🇴"},
		"Persian joiner":  {"می‌خواهم", "می‌خواهم"},
		"Vietnamese":      {"Tiê\u0301ng Viê\u0323t", "Tiê\u0301ng Viê\u0323t"},
		"Hebrew points":   {"שָׁלוֹם", "שָׁלוֹם"},
		"colour":          {"\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		"title":           {"\x1b]0;pwned\x07", "␛]0;pwned␇"},
		"clipboard":       {"\x1b]52;c;cm0gLXJm\x1b\\", "␛]52;c;cm0gLXJm␛\\"},
		"link":            {"\x1b]8;;https://evil.example\x1b\\bank\x1b]8;;\x1b\\", "␛]8;;https://evil.example␛\\bank␛]8;;␛\\"},
		"overwrite":       {"safe\revil\b\b", "safe␍evil␈␈"},
		"NUL and DEL":     {"\x00\x7f", "␀␡"},
		"C1":              {"\u009b31m\u0085\u0090", "<U+009B>31m<U+0085><U+0090>"},
		"C1 as bytes":     {"\x9b31m", "<0x9B>31m"},
		"no UTF-8":        {"a\xffb\xc3", "a<0xFF>b<0xC3>"},
		"replacement":     {"\ufffd", "\ufffd"},
		"right to left":   {"\u202egpj.exe\u202c", "<U+202E>gpj.exe<U+202C>"},
		"isolates":        {"\u2066a\u2067b\u2068c\u2069", "<U+2066>a<U+2067>b<U+2068>c<U+2069>"},
		"marks of order":  {"a\u200e\u200f\u061cb", "a<U+200E><U+200F><U+061C>b"},
		"zero width":      {"pay\u200bpal\u2060\ufeff\u00ad", "pay<U+200B>pal<U+2060><U+FEFF><U+00AD>"},
		"separators":      {"a\u2028b\u2029c", "a<U+2028>b<U+2029>c"},
		"stray joiner":    {"a \u200d b\u200c", "a <U+200D> b<U+200C>"},
		"tags":            {"hi\U000e0041\U000e007f", "hi<U+E0041><U+E007F>"},
		"variations":      {"a\ufe00b\U000e0100", "a<U+FE00>b<U+E0100>"},
		"blank letters":   {"\u3164\u115f\uffa0\u2800", "<U+3164><U+115F><U+FFA0><U+2800>"},
		"private use":     {"\ue000\U000f0000", "<U+E000><U+F0000>"},
		"stacked marks":   {"a" + strings.Repeat("\u0301", 6), "a" + strings.Repeat("\u0301", 4) + "<U+0301><U+0301>"},
		"mark at start":   {"\u0338a\n\u0338b", "<U+0338>a\n<U+0338>b"},
		"mark on a space": {" \u0338", " <U+0338>"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := plain.Text(tt.in, 1000); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			normal := strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(tt.in)
			if got, want := plain.Hidden(tt.in), normal != tt.want; got != want {
				t.Errorf("Hidden: got %v, want %v", got, want)
			}
			if got := plain.Strip(tt.in); plain.Hidden(got) {
				t.Errorf("Strip left something hidden: %q", got)
			}
		})
	}
}

func TestLine(t *testing.T) {
	if got, want := plain.Line("a\nb\r\nc\td", 100), "a␤b␤c    d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLimits(t *testing.T) {
	tests := map[string]struct{ got, want string }{
		"fits":        {plain.Line("世界", 2), "世界"},
		"cut":         {plain.Line("世界!", 2), "世界… (1 more bytes)"},
		"a joiner":    {plain.Text("M\u200dJ", 2), "M… (4 more bytes)"},
		"nothing":     {plain.Text("abc", 0), "… (3 more bytes)"},
		"line breaks": {plain.Text("a\nb\nc\n\n\n\n", 100), "a\nb\nc… (4 more bytes)"},
	}
	for name, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", name, tt.got, tt.want)
		}
	}
}

func TestJSON(t *testing.T) {
	in := "{\n  \"a\u202e\": [1.0, \"\u009b\U000e0041\x7f é\"]\n}"
	want := "{\n  \"a\\u202e\": [1.0, \"\\u009b\\udb40\\udc41\\u007f é\"]\n}"
	if got := plain.JSON(in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("\x1b[2J\u202e\r\n\tx\u0301", 5)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		for _, shown := range []string{plain.Text(s, limit), plain.Line(s, limit)} {
			for _, r := range shown {
				if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
					t.Fatalf("%q shows %U", s, r)
				}
			}
			if again := plain.Text(shown, len(shown)*40); again != shown && limit > 0 {
				t.Errorf("%q: not stable: got %q, want %q", s, again, shown)
			}
		}
		if json.Valid([]byte(s)) {
			var a, b any
			if json.Unmarshal([]byte(s), &a) != nil {
				return // a number out of range
			}
			if err := json.Unmarshal([]byte(plain.JSON(s)), &b); err != nil {
				t.Fatalf("%q as JSON: %v", s, err)
			}
			x, _ := json.Marshal(a)
			if y, _ := json.Marshal(b); string(x) != string(y) {
				t.Errorf("%q means %s, shown %s", s, x, y)
			}
		}
	})
}
