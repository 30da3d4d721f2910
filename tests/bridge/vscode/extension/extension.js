// Calls an MCP tool the way an agent in VS Code does, without a model to decide
// it: vscode.lm.invokeTool goes through VS Code's own MCP client, which asks the
// person whatever the server asks.
const vscode = require("vscode")

/** Starts the server. A window may be there before it has read which servers there are. @param {string} wanted how the tool's name ends */
async function started(wanted) {
  for (;;) {
    await vscode.commands.executeCommand("workbench.mcp.startServer", "*", { autoTrustChanges: true, waitForLiveTools: true })
    const tool = vscode.lm.tools.find(({ name }) => name.endsWith(wanted))
    if (tool) return tool
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

exports.activate = (/** @type {import("vscode").ExtensionContext} */ context) => {
  const ready = vscode.window.createStatusBarItem()
  ready.text = "bridge test"
  ready.show()
  context.subscriptions.push(
    ready,
    vscode.commands.registerCommand("bridgeTest.call", async () => {
      const typed = await vscode.window.showInputBox({ prompt: "The tool's name and its arguments as JSON" })
      const [, wanted = "", input = "{}"] = /^(\S+) ?(.*)$/.exec(typed ?? "") ?? []
      try {
        const tool = await started(wanted)
        const { content } = await vscode.lm.invokeTool(tool.name, { input: JSON.parse(input), toolInvocationToken: undefined })
        const text = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "?")).join("\n")
        vscode.window.showInformationMessage(`The tool said: ${text}`)
      } catch (error) {
        vscode.window.showErrorMessage(`The call failed: ${error instanceof Error ? error.message : error}`)
      }
    }),
  )
}
