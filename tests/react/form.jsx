import { QuestionForm } from "@parley-mcp/parley/react"
import { useState } from "react"

/** @import { FieldView, OpenQuestion } from "@parley-mcp/parley/react" */

/** A question as a host shows it. @param {{question: OpenQuestion}} props */
export function Asked({ question }) {
  if (question.unreadable) return <Own question={question} />
  return (
    <QuestionForm question={question} className="asked">
      {({ message, messageProps, problem, hint, fields, decline, dismiss, park }) => (
        <>
          <p {...messageProps}>{message}</p>
          {problem && <p role="alert">{problem}</p>}
          {fields.map((field) => (
            <Field key={field.name} {...field} />
          ))}
          {hint && <p>{hint}</p>}
          <button>Send</button>
          <button type="button" onClick={decline}>Decline</button>
          <button type="button" onClick={dismiss}>Dismiss</button>
          <button type="button" onClick={park}>Park</button>
        </>
      )}
    </QuestionForm>
  )
}

/** @param {FieldView} field */
function Field({ label, description, hint, notice, kind, readOnly, options, items, addProps, picked, problem, inputProps, groupProps, labelProps, descriptionProps, hintProps, problemProps }) {
  const told = (
    <>
      {description && <p {...descriptionProps}>{description}</p>}
      {hint && <p {...hintProps}>{hint}</p>}
      {notice && <p role="status">{notice}</p>}
      <p {...problemProps}>{problem && `${label} ${problem}.`}</p>
    </>
  )
  if (readOnly !== undefined)
    return (
      <p>
        {label}: {readOnly}
      </p>
    )
  if (items)
    return (
      <div {...groupProps}>
        <span {...labelProps}>{label}</span>
        {items.map(({ inputProps, removeProps }) => (
          <div key={inputProps.id}>
            <input {...inputProps} />
            <button {...removeProps}>Remove</button>
          </div>
        ))}
        <button {...addProps}>Add to {label}</button>
        {told}
      </div>
    )
  if (kind === "choices" || kind === "boolean" || kind === "union")
    return (
      <div {...groupProps}>
        <span {...labelProps}>{label}</span>
        {options?.map((option) => (
          <label key={option.value}>
            <input {...option.inputProps} />
            {option.label}
          </label>
        ))}
        {picked && <Value {...picked} />}
        {told}
      </div>
    )
  return (
    <div>
      <label {...labelProps}>{label}</label>
      {options ? (
        <select {...inputProps}>
          <option value="">–</option>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>{label}</option>
          ))}
        </select>
      ) : (
        <input {...inputProps} />
      )}
      {told}
    </div>
  )
}

/** The value of a type that was picked. @param {FieldView} field */
function Value({ label, options, inputProps }) {
  if (!options) return <input {...inputProps} aria-label={`${label}, value`} />
  return (
    <select {...inputProps} aria-label={`${label}, value`}>
      <option value="">–</option>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>{label}</option>
      ))}
    </select>
  )
}

/** A form that Parley cannot read, as a host draws it itself: people by their names. @param {{question: OpenQuestion}} props */
function Own({ question }) {
  const [names, setNames] = useState([""])
  const content = { people: names.map((name) => ({ name })) }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        question.answer({ action: "accept", content })
      }}
    >
      <p>{question.message}</p>
      {names.map((name, i) => (
        <input key={i} aria-label={`Name ${i + 1}`} value={name} onChange={({ target }) => setNames(names.map((other, at) => (at === i ? target.value : other)))} />
      ))}
      <button type="button" onClick={() => setNames([...names, ""])}>One more</button>
      <button>Send</button>
    </form>
  )
}
