module github.com/parley-mcp/parley/hosts/go/store/redis

go 1.26.0

require (
	github.com/parley-mcp/parley v0.1.0
	github.com/redis/rueidis v1.0.79
)

require (
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
