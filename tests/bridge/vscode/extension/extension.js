// Calls an MCP tool the way an agent in VS Code does, without a model to decide
// it: vscode.lm.invokeTool goes through VS Code's own MCP client, which asks the
// person whatever the server asks.
const vscode = require("vscode")

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
        await vscode.commands.executeCommand("workbench.mcp.startServer", "*", { autoTrustChanges: true, waitForLiveTools: true })
        const tool = vscode.lm.tools.find(({ name }) => name.endsWith(wanted))
        if (!tool) throw new Error(`no ${wanted} among ${vscode.lm.tools.map(({ name }) => name).join()}`)
        const { content } = await vscode.lm.invokeTool(tool.name, { input: JSON.parse(input), toolInvocationToken: undefined })
        const text = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "?")).join("\n")
        vscode.window.showInformationMessage(`The tool said: ${text}`)
      } catch (error) {
        vscode.window.showErrorMessage(`The call failed: ${error instanceof Error ? error.message : error}`)
      }
    }),
  )
}
