#!/usr/bin/env bash
# Tool loops of the AI SDK, LangGraph and the OpenAI Agents SDK over Parley, with the real packages and scripted models; and the same
# hosts with MCP clients of their own.
# needs: go node npm ai-sdk langchain openai-agents
# seconds: 30
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../hosts/js/setup.sh
  ../../hosts/js/npm-install.sh "$PWD"
}

run() {
  npm --silent run check
  ../../hosts/js/node-tests.sh "$PWD"
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
