import { QuestionForm } from "@parley-mcp/parley/react"

/** @import { FieldView, OpenQuestion } from "@parley-mcp/parley/react" */

/** A question as a host shows it. @param {{question: OpenQuestion}} props */
export function Asked({ question }) {
  return (
    <QuestionForm question={question} className="asked">
      {({ message, messageProps, problem, fields, decline, dismiss, park }) => (
        <>
          <p {...messageProps}>{message}</p>
          {problem && <p role="alert">{problem}</p>}
          {fields.map((field) => (
            <Field key={field.name} {...field} />
          ))}
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
function Field({ label, description, kind, options, problem, inputProps, groupProps, labelProps, descriptionProps, problemProps }) {
  const told = (
    <>
      {description && <p {...descriptionProps}>{description}</p>}
      <p {...problemProps}>{problem && `${label} ${problem}.`}</p>
    </>
  )
  if (kind === "choices" || kind === "boolean")
    return (
      <div {...groupProps}>
        <span {...labelProps}>{label}</span>
        {options?.map((option) => (
          <label key={option.value}>
            <input {...option.inputProps} />
            {option.label}
          </label>
        ))}
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
