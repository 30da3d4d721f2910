package oauth

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxWords = 500     // characters of an authorization server's words that are repeated
	maxRead  = 8 << 10 // bytes of a page or text that they are looked for in
	maxCode  = 64      // bytes of an error code
)

// heard is what an authorization server says in refusing: an error code (RFC
// 6749, section 5.2), and words for a person. Both are "" if there are none that
// may be repeated: words that hold one of the secrets, or what looks like one,
// are left out as a whole.
func heard(kind string, body []byte, secrets []string) (code, words string) {
	whole := strings.ToValidUTF8(string(body), "\uFFFD")
	text := strings.TrimSpace(strings.TrimPrefix(whole, "\uFEFF"))
	if object := map[string]any{}; strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &object) == nil {
		return saidInJSON(object, secrets)
	}
	if hasSecret(whole, secrets) {
		return "", ""
	}
	text = text[:min(len(text), maxRead)]
	switch {
	case isForm.MatchString(text):
		form, _ := url.ParseQuery(text)
		return repeatCode(form.Get("error"), secrets), repeat(form.Get("error_description"), secrets)
	case strings.HasPrefix(text, "<") || strings.Contains(kind, "html"):
		return "", repeat(textOf(text), secrets)
	case kind == "" || strings.HasPrefix(kind, "text/"):
		return "", repeat(text, secrets)
	}
	return "", ""
}

// isForm matches an error in the form of a query: GitHub writes them so.
var isForm = regexp.MustCompile(`^([\w.-]+=[^\s&]*&)*error=[^\s&]+(&|$)`)

// saidInJSON looks where authorization servers, and gateways before them, put
// their words.
func saidInJSON(object map[string]any, secrets []string) (code, words string) {
	code = repeatCode(text(object["error"]), secrets)
	inner, _ := object["error"].(map[string]any)
	for _, words := range []any{
		object["error_description"], inner["message"], object["message"], object["detail"], object["errorSummary"], object["title"], object["error"],
	} {
		if said := text(words); said != "" && said != code {
			return code, repeat(said, secrets)
		}
	}
	return code, ""
}

func text(value any) string {
	text, _ := value.(string)
	return text
}

// repeatCode is an error code, "" if it is none.
func repeatCode(code string, secrets []string) string {
	if !isScope(code) || len(code) > maxCode || hasSecret(code, secrets) {
		return ""
	}
	return code
}

// repeat is a peer's text as it may be shown: on one line, without control
// characters and those that change the direction of what follows, and bounded.
func repeat(text string, secrets []string) string {
	text = text[:min(len(text), maxRead)]
	clean := strings.Join(strings.Fields(strings.Map(plain, text)), " ")
	if hasSecret(text, secrets) || hasSecret(clean, secrets) || showsSecret(clean) {
		return ""
	}
	if runes := []rune(clean); len(runes) > maxWords {
		clean = string(runes[:maxWords]) + "…"
	}
	return clean
}

func plain(r rune) rune {
	switch {
	case r == '“' || r == '”':
		return '"' // ours are around it
	case unicode.IsSpace(r) || unicode.IsControl(r):
		return ' '
	case unicode.IsPrint(r):
		return r
	}
	return -1
}

// itSays are a peer's words, marked as such, to follow a sentence of our own.
func itSays(words string) string {
	if words == "" {
		return ""
	}
	return " It says: “" + words + "”."
}

var (
	unseen = regexp.MustCompile(`(?is)<!--.*?(-->|$)|<(script|style)\b.*?(</(script|style)\s*>|$)|<[^>]*(>|$)`)
	marks  = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&nbsp;", " ", "&amp;", "&")
)

// textOf is what a page says.
func textOf(page string) string {
	return marks.Replace(unseen.ReplaceAllString(page, " "))
}

// hasSecret reports whether a text holds one of the secrets. A short one counts
// as a word: it may be part of any.
func hasSecret(text string, secrets []string) bool {
	return slices.ContainsFunc(secrets, func(secret string) bool {
		if len(secret) < 8 {
			return hasWord(text, secret)
		}
		return strings.Contains(text, secret) || strings.Contains(text, url.QueryEscape(secret))
	})
}

func hasWord(text, word string) bool {
	if !utf8.ValidString(word) { // no pattern can be made of it
		return strings.Contains(text, word)
	}
	return word != "" && regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(word)+`(\W|$)`).MatchString(text)
}

var (
	named    = regexp.MustCompile(`(?i)(\b(access_token|refresh_token|id_token|client_secret|client_assertion|code_verifier|assertion|subject_token|password)["'\s]*[=:]|\bcode=)["'\s]*([\w.~+/-]{8,})`)
	webToken = regexp.MustCompile(`\beyJ[\w-]{8,}\.[\w-]`)
)

// showsSecret reports whether a text shows what looks like a secret, sent or not:
// the value of a parameter that holds one, or a JWT.
func showsSecret(text string) bool {
	for _, found := range named.FindAllStringSubmatch(text, -1) {
		if strings.ContainsAny(found[3], "0123456789") {
			return true
		}
	}
	return webToken.MatchString(text)
}

// public are the parameters of a request that hold no secret.
var public = []string{
	"client_id", "grant_type", "redirect_uri", "resource", "scope", "audience", "client_assertion_type", "subject_token_type", "requested_token_type", "token_type_hint",
}

// secretsOf are the secrets that a request has sent as a form.
func secretsOf(r *http.Request) []string {
	if r == nil {
		return nil
	}
	var secrets []string
	if _, password, ok := r.BasicAuth(); ok {
		plain, _ := url.QueryUnescape(password)
		secrets = append(secrets, password, plain)
	}
	if r.GetBody == nil {
		return secrets
	}
	body, err := r.GetBody()
	if err != nil {
		return secrets
	}
	defer body.Close()
	text, _ := io.ReadAll(body)
	form, _ := url.ParseQuery(string(text))
	for name, values := range form {
		if !slices.Contains(public, name) {
			secrets = append(secrets, values...)
		}
	}
	return secrets
}
