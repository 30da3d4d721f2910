package stories

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// Users are people by the SHA-256 of their bearer tokens, so that looking one up
// tells nothing of the others. A real server verifies the tokens of an
// authorization server; that a requestState belongs to a user is the same there.
type Users map[[sha256.Size]byte]string

// ReadUsers reads lines "user token"; empty ones and those that begin with "#"
// are skipped. An error says which line is wrong, and nothing of what is on it.
func ReadUsers(r io.Reader) (Users, error) {
	users := Users{}
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return nil, fmt.Errorf(`line %d: expected "user token"`, number)
		}
		if len(fields[1]) < minToken {
			return nil, fmt.Errorf("line %d: a token has at least %d characters", number, minToken)
		}
		token := sha256.Sum256([]byte(fields[1]))
		if users[token] != "" {
			return nil, fmt.Errorf("line %d: a token of two users", number)
		}
		users[token] = fields[0]
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(users) == 0 {
		return nil, errors.New("there is no user in it")
	}
	return users, nil
}

// minToken is the fewest characters of a token: nobody guesses them.
const minToken = 16

// only lets requests with a user's token through, all if there are no users.
func (u Users) only(next http.Handler) http.Handler {
	if u == nil {
		return next
	}
	return auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		user := u[sha256.Sum256([]byte(token))]
		if user == "" {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: user, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(next)
}
