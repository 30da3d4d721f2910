// A language model for the tests: it says how long what it was asked is.

const vscode = require("vscode")

/** @param {import("vscode").ExtensionContext} context */
exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("parley-test", {
      provideLanguageModelChatInformation: () => [
        { id: "counter", name: "Counter", family: "counter", version: "1", maxInputTokens: 10_000, maxOutputTokens: 1000, capabilities: {} },
      ],
      async provideLanguageModelChatResponse(_model, messages, _options, progress) {
        const text = messages.flatMap(({ content }) => content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))).join("\n")
        progress.report(new vscode.LanguageModelTextPart(`I was given ${messages.length} messages of ${text.length} characters.`))
      },
      provideTokenCount: async (_model, text) => String(text).length,
    }),
  )
}
