package main_test

import (
	"os"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/sources"
)

func TestMain(m *testing.M) { os.Exit(sources.Run(m)) }
