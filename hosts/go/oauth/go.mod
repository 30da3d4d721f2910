module github.com/parley-mcp/parley/hosts/go/oauth

go 1.26.0

require (
	github.com/gofrs/flock v0.13.0
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/parley-mcp/parley v0.1.0
	golang.org/x/oauth2 v0.35.0
)

require (
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
