// A chat whose tools ask in the middle of a call. README.md says how to run it.
import { connect, fetchTransport, load, toolResult } from "@parley-mcp/parley"
import { type Call, Calls, CallsProvider, type FieldView, QuestionForm, useCalls, useQuestions } from "@parley-mcp/parley/react"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"

const calls = new Calls()
const engine = await load()
const session = connect(engine, fetchTransport(`${location.origin}/mcp`), { clientInfo: { name: "react-chat", version: "0.1.0" }, askers: calls.askers(engine) })

/** In place of a model: which tool is meant by what somebody says. */
function model(said: string) {
  const id = /resolve (\d+)/.exec(said)?.[1]
  return id ? { name: "update_work_item", arguments: { id: Number(id), state: "Resolved" } } : { name: "get_weather", arguments: { location: said } }
}

function Chat() {
  const { calls, start } = useCalls()
  const say = (data: FormData) => void start((side) => session.callTool({ ...model(String(data.get("said"))), ...side }), { about: data.get("said") })
  return (
    <>
      <ol>{calls.map((call) => <Turn key={call.id} call={call} />)}</ol>
      <form action={say}><label>A place, or “resolve 4711”: <input name="said" required /></label> <button>Say</button></form>
    </>
  )
}

/** What somebody said, and what came of it: the tool's questions appear in the same place. */
function Turn({ call: { id, about, status, result, error, snapshot, cancel } }: { call: Call }) {
  const { start } = useCalls()
  const questions = useQuestions().filter(({ call }) => call === id)
  const resume = () => void start(async (side) => toolResult(await session.resume({ snapshot: snapshot ?? "", ...side })), { id, about })
  return (
    <li>
      {about}: {result?.content[0].text ?? error?.message ?? "…"} {status === "running" && <button onClick={() => cancel()}>Stop</button>} {snapshot && <button onClick={resume}>Resume</button>}
      {questions.map((question) => (
        <QuestionForm key={question.id} question={question}>
          {({ message, messageProps, fields, decline, park }) => <>
            <p {...messageProps}>{message}</p>
            {fields.map((field) => <Field key={field.name} {...field} />)}
            <button>Send</button> <button type="button" onClick={decline}>Decline</button> <button type="button" onClick={park}>Later</button>
          </>}
        </QuestionForm>
      ))}
    </li>
  )
}

function Field({ label, description, hint, kind, readOnly, options, picked, problem, inputProps, labelProps, descriptionProps, problemProps }: FieldView) {
  if (readOnly !== undefined) return <p>{label}: {readOnly}</p>
  return (
    <div>
      <label {...labelProps} htmlFor={inputProps.id}>{label}</label>
      {options ? <select {...inputProps}>{!inputProps.multiple && <option value="">–</option>}{options.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select> : kind === "list" ? <textarea {...inputProps} /> : <input {...inputProps} />}
      {picked && <Field {...picked} />}<p {...descriptionProps}>{description} {hint}</p><p {...problemProps}>{problem && `${label} ${problem}.`}</p>
    </div>
  )
}

createRoot(document.getElementById("chat")!).render(<StrictMode><CallsProvider calls={calls}><Chat /></CallsProvider></StrictMode>)
