import { connect, fetchTransport, load, toolResult, type CallToolResult } from "@parley-mcp/parley"
import { Sessions } from "@parley-mcp/parley/sessions"
import { Calls, CallsProvider, QuestionForm, useCalls, useQuestionForm, useQuestions, type Call, type FieldView, type OpenQuestion } from "@parley-mcp/parley/react"
import { useState, type ReactElement } from "react"

const calls = new Calls()
const sessions = new Sessions({ askers: { ...calls.askers(await load()), listRoots: () => ({ roots: [] }) } })
sessions.add("items", (askers) => connect({} as Awaited<ReturnType<typeof load>>, fetchTransport("https://example.com/mcp"), { askers }))

function Field({ field }: { field: FieldView }): ReactElement {
  const { label, options, inputProps, labelProps, descriptionProps, description, problemProps, problem, groupProps, setValue } = field
  if (field.kind === "choices") return <fieldset {...groupProps}>{options?.map((option) => <input key={option.value} {...option.inputProps} />)}</fieldset>
  return (
    <div>
      <label {...labelProps}>{label}</label>
      {options ? <select {...inputProps} /> : <input {...inputProps} />}
      <textarea id={inputProps.id} value={inputProps.value} onChange={inputProps.onChange} onBlur={inputProps.onBlur} />
      <button type="button" onClick={() => setValue("")}>Clear</button>
      <p {...descriptionProps}>{description}</p>
      <p {...problemProps}>{problem}</p>
    </div>
  )
}

function Own({ question }: { question: OpenQuestion }): ReactElement {
  const { formProps, messageProps, fields, decline, park, send } = useQuestionForm(question)
  if (question.linkProps) return <a {...question.linkProps}>{question.question.host}</a>
  return <form {...formProps}><p {...messageProps} />{fields.length}<button onClick={send} /><button onClick={decline} /><button onClick={park} /></form>
}

export function Chat(): ReactElement {
  const [last, setLast] = useState<Call>()
  const { calls: list, start, discard } = useCalls({ onUnmount: "park" })
  // @ts-expect-error: not one of what can become of a call
  useCalls({ onUnmount: "stop" })
  const run = async (snapshot: string): Promise<CallToolResult> => {
    const { content }: CallToolResult = await start((side) => sessions.callTool("items", { name: "t", ...side }), { about: { turn: 1 } })
    console.log(content.length)
    return start(async (side) => toolResult(await sessions.resume("items", { snapshot, ...side })), { id: "a" })
  }
  return (
    <CallsProvider calls={calls}>
      {list.map((call) => <button key={call.id} onClick={() => (call.status === "running" ? call.park() : discard(call.id), setLast(call))}>{call.task?.status}</button>)}
      {useQuestions().map((question) => (
        <QuestionForm key={question.id} question={question} className="question" title={String(question._meta?.ui)}>
          {({ fields, message }) => [message, ...fields.map((field) => <Field key={field.name} field={field} />)]}
        </QuestionForm>
      ))}
      {useQuestions().map((question) => <Own key={question.id} question={question} />)}
      <button onClick={() => void run(last?.snapshot ?? "")}>{String(last?.progress?.total)}</button>
    </CallsProvider>
  )
}
