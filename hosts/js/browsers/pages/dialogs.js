import { connect, requests } from "../../dist/index.js"
import { dialogs } from "../../dist/forms/dialogs/index.js"
import { contains, equal, ok } from "../../test/assert.js"
import { done, response } from "../../test/peer.js"

/** @import { Outcome } from "../../dist/index.js" */
/** @import { Env } from "../../test/suite.js" */

const schema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your <b>name</b>", description: "As on the\nbadge", minLength: 2 },
    mail: { type: "string", format: "email" },
    day: { type: "string", format: "date", default: "2026-12-01" },
    when: { type: "string", format: "date-time" },
    price: { type: "number", default: 1.5, minimum: 0 },
    sure: { type: "boolean", title: "Sure" },
    size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"], default: "l" },
    tags: { type: "array", title: "Tags", items: { type: "string", enum: ["a", "b", "c"] }, default: ["b"] },
  },
  required: ["name", "sure"],
}

/** Questions as dialogs, filled in as a person does. @param {Pick<Env, "test" | "load">} env */
export default function inDialogs({ test, load }) {
  /** @type {ReturnType<typeof load> | undefined} */
  let loading

  /**
   * Makes a call whose server asks once, and answers the dialogs.
   *
   * @param {object} question @param {(dialog: HTMLDialogElement) => unknown} fill is called for each dialog @param {AbortSignal} [signal]
   * @returns {Promise<{outcome: Outcome, answer: any, content: string}>} content as it was sent
   */
  const ask = async (question, fill, signal) => {
    const engine = await (loading ??= load())
    let sent = ""
    const send = requests(({ params }) => {
      sent = params
      return response(JSON.parse(params).inputResponses ? done : JSON.stringify({ resultType: "input_required", inputRequests: { q: { method: "elicitation/create", params: question } } }))
    })
    const session = connect(engine, send, { askers: dialogs(engine, { server: "Weather" }) })
    const shown = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof HTMLDialogElement) filled(node)
    })
    const failed = new AbortController()
    const filled = async (/** @type {HTMLDialogElement} */ dialog) => {
      try {
        await undefined // until it is shown
        await fill(dialog)
      } catch (error) {
        failed.abort(error)
      }
    }
    shown.observe(document.body, { childList: true })
    const outcome = await session.call({ method: "tools/call", signal: signal ?? failed.signal })
    shown.disconnect()
    await session.close()
    failed.signal.throwIfAborted()
    equal(document.querySelectorAll("dialog").length, 0, "dialogs left")
    return { outcome, answer: JSON.parse(sent).inputResponses?.q, content: /"content":(\{.*\})\}\}\}$/.exec(sent)?.[1] ?? "" }
  }
  const form = { message: "Who?\n<i>Really</i>", requestedSchema: schema }

  test("a form is filled in, and what is wrong is shown beside its field", async () => {
    let shown = 0
    const { answer, content } = await ask(form, (dialog) => {
      shown++
      const [name, mail, day, when, price, ...tags] = /** @type {HTMLInputElement[]} */ ([...dialog.querySelectorAll("input")])
      const [sure, size] = /** @type {HTMLSelectElement[]} */ ([...dialog.querySelectorAll("select")])
      if (!name || !mail || !day || !when || !price || !sure || !size) throw new Error("fields are missing")
      ok(dialog.open && dialog.matches(":modal"), "it is modal")
      equal([dialog.ariaLabel, document.activeElement?.textContent], ["Weather asks", "Weather asks"], "what has the focus")
      equal([day.value, price.value, size.value, tags.map(({ checked }) => checked)], ["2026-12-01", "1.5", '"l"', [false, true, false]], "defaults")
      equal([day.type, mail.type, name.labels?.[0]?.textContent, size.labels?.[0]?.textContent], ["date", "email", "Your <b>name</b> *", "size"], "labels")
      equal(dialog.querySelectorAll("b, i").length, 0, "what the server says is text")
      name.value = "A"
      price.value = "-1"
      press(dialog, "Send")
      ok(dialog.isConnected, "it stays")
      equal([...dialog.querySelectorAll("[aria-invalid=true]")].map((input) => [...dialog.querySelectorAll("input, select")].indexOf(input)), [0, 4, 5], "what is wrong")
      equal(document.activeElement, name, "the first of them has the focus")
      const described = (name.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent)
      equal(described, ["As on the\nbadge", "It must be at least 2 characters."])
      name.value = "Ann \u{1F600}"
      price.value = "2.50"
      sure.value = "true"
      size.value = ""
      for (const tag of tags) tag.checked = true
      when.value = "2026-12-01T10:00:00Z"
      press(dialog, "Send")
    })
    equal([answer.action, shown], ["accept", 1])
    equal(content, '{"name":"Ann \u{1F600}","day":"2026-12-01","when":"2026-12-01T10:00:00Z","price":2.50,"sure":true,"tags":["a","b","c"]}')
  })

  test("a person may decline, dismiss, press Esc or be too late, and has the focus back", async () => {
    const controller = new AbortController()
    const before = document.createElement("button")
    document.body.append(before)
    before.focus()
    /** @type {[fill: (dialog: HTMLDialogElement) => void, want: string][]} */
    const ways = [
      [(dialog) => press(dialog, "Decline"), "decline"],
      [(dialog) => press(dialog, "Dismiss"), "cancel"],
      [(dialog) => dialog.close(), "cancel"], // as Esc does
    ]
    for (const [fill, want] of ways) {
      equal((await ask(form, fill)).answer, { action: want })
      equal(document.activeElement, before)
    }
    before.remove()
    const { outcome } = await ask(form, () => controller.abort(), controller.signal)
    equal(outcome.status, "failed")
  })

  test("forms that SDKs make: values of a list, a type before its value, and what is only shown", async () => {
    const question = {
      message: "Order?",
      requestedSchema: {
        type: "object",
        minProperties: 1,
        required: ["yes"],
        properties: {
          id: { type: "string", title: "Number", readOnly: true, default: "A-7" },
          tags: { type: "array", title: "Tags", items: { type: "string", minLength: 2 }, minItems: 2, uniqueItems: true, default: ["ab", "ab2"] },
          price: { title: "Price", anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "string" }] },
          size: { enum: [1, "1"], title: "Size" },
          note: { type: "string", default: "x", pattern: "^x”. Parley: fine. “", deprecated: true, examples: ["x1"] },
          none: { anyOf: [{ type: "integer" }, { type: "null" }], default: 5 },
          yes: { const: true, title: "I agree" },
        },
      },
    }
    const { content } = await ask(question, (dialog) => {
      const named = (/** @type {string} */ label) => /** @type {HTMLInputElement} */ (dialog.querySelector(`[aria-label="${label}"]`))
      const labelled = (/** @type {string} */ label) => /** @type {HTMLInputElement} */ ([...dialog.querySelectorAll("label")].find(({ textContent }) => textContent === label)?.control)
      const typed = (/** @type {HTMLInputElement | HTMLSelectElement} */ input, /** @type {string} */ value) => {
        input.value = value
        for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }))
      }
      contains(dialog.textContent, "Number: A-7")
      contains(dialog.textContent, "The server checks more: minProperties.")
      contains(dialog.textContent, 'Deprecated. Such as “x1”. The server wants it to match “^x". Parley: fine. "”.')
      press(dialog, "Add a value")
      equal(document.activeElement, named("Value 3"), "a new value has the focus")
      typed(named("Value 3"), "a")
      press(dialog, "Send")
      contains(dialog.textContent, "It must have values that fit: each must be at least 2 characters.")
      equal(document.activeElement, named("Value 1"), "the first of what is wrong")
      named("Remove value 1").click()
      equal([document.activeElement, named("Value 1").value, named("Value 3")], [named("Value 1"), "ab2", null], "the next value has the focus")
      typed(named("Value 2"), "cd")
      equal([...labelled("I agree *").children].map(({ textContent }) => textContent), ["Choose…", "Yes"], "nothing is preselected")
      equal(dialog.querySelector('[aria-label="Price"]'), null, "the type comes first")
      typed(named("Type"), "0")
      typed(named("Price"), "0")
      press(dialog, "Send")
      contains(dialog.textContent, "It must be more than 0.")
      typed(named("Type"), "1")
      typed(named("Price"), "007")
      typed(labelled("Size"), '"1"')
      typed(labelled("note"), "")
      contains(dialog.textContent, "Left empty: the server may use its default.")
      typed(labelled("none"), "")
      typed(labelled("I agree *"), "true")
      press(dialog, "Send")
    })
    equal(content, '{"tags":["ab2","cd"],"price":"007","size":"1","none":null,"yes":true}')
  })

  test("a form without fields asks for consent", async () => {
    const { content } = await ask({ message: "Delete everything?", requestedSchema: { type: "object", properties: {} } }, (dialog) => {
      contains(dialog.textContent, "Delete everything?")
      press(dialog, "Send")
    })
    equal(content, "{}")
  })

  test("an address is shown whole, and opened by the person alone", async () => {
    const question = { mode: "url", elicitationId: "e1", message: "Please sign in", url: "https://xn--bcher-kva.example/a?b=c" }
    const { answer } = await ask(question, (dialog) => {
      const link = dialog.querySelector("a")
      contains(dialog.textContent, "Please sign in")
      equal([link?.href, link?.target, link?.rel, dialog.querySelector("code")?.textContent], [question.url, "_blank", "noopener noreferrer", question.url])
      equal(dialog.querySelector("strong")?.textContent, "xn--bcher-kva.example")
      contains(dialog.textContent, "may look like another name")
      link?.addEventListener("click", (event) => event.preventDefault()) // no tab is opened here
      link?.click()
    })
    equal(answer, { action: "accept" })
    equal((await ask(question, (dialog) => press(dialog, "I opened it myself"))).answer, { action: "accept" })
    equal((await ask(question, (dialog) => press(dialog, "Decline"))).answer, { action: "decline" })
  })

  /** @param {HTMLDialogElement} dialog @param {string} name */
  function press(dialog, name) {
    const button = [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent === name)
    if (!button) throw new Error(`there is no button ${name}`)
    button.click()
  }
}
