import { choicesOf, inputLook } from "./field-input.js"

/** @import { Entry } from "./field-input.js" */
/** @import { FormField } from "./question-form.js" */
/** @import { Filled, Filling } from "./react-filling.js" */
/** @import { Sentence } from "./sentence.js" */

/** An input or select, as far as an event of it is looked at. @typedef {{value: string, selectedOptions?: ArrayLike<{value: string}>, validity?: {badInput: boolean}}} Control */

/**
 * The attributes of an `input` for text and the like, a `select` for one of
 * several, and a `select` of which several can be chosen.
 *
 * @typedef {Aria & InputOnly} InputProps
 *
 * @typedef {{"aria-invalid": boolean | undefined, "aria-describedby": string}} Aria
 *
 * @typedef {object} InputOnly
 * @property {string} id
 * @property {string} [type] of an input
 * @property {"numeric" | "decimal"} [inputMode]
 * @property {string} [placeholder]
 * @property {boolean} [multiple] of a select
 * @property {"off"} autoComplete
 * @property {boolean | undefined} required
 * @property {string | string[]} value
 * @property {(event: {target: Control}) => void} onChange
 * @property {(event: {target: Control}) => void} onBlur
 */

/** The attributes of a radio button or checkbox that stands for one choice, in a `div` of `groupProps`. @typedef {{id: string, type: "radio" | "checkbox", name: string, value: string, checked: boolean, onChange: (event: {target: {checked: boolean}}) => void, onBlur: () => void} & Aria} OptionProps */

/** One choice: `value` is JSON text, `label` the server's word for it, and Yes or No of a yes-or-no. @typedef {{value: string, label: string, inputProps: OptionProps}} FieldOption */

/**
 * A field of a form as it stands, and the attributes to render it with. What the
 * server says is text, never HTML.
 *
 * @typedef {object} FieldView
 * @property {string} id of its control
 * @property {string} name in the answer
 * @property {FormField["kind"]} kind
 * @property {FormField} field all that the server says about it
 * @property {string} label
 * @property {string} [description]
 * @property {boolean} required
 * @property {FieldOption[]} [options] what there is to choose from; undefined for a field that is typed into
 * @property {Entry} value what stands there
 * @property {string} [problem] what is wrong with it, in words that continue after the label, once the person is to be told
 * @property {number} [code] of the problem, for a host with words of its own: one of ProblemCode
 * @property {Sentence} [sentence] the problem, to be translated
 * @property {(value: Entry) => void} setValue for a control of the host's own
 * @property {() => void} check shows what is wrong, as when the person leaves it
 * @property {InputProps} inputProps
 * @property {{id: string, htmlFor: string | undefined, dir: "auto"}} labelProps
 * @property {{id: string, dir: "auto"}} descriptionProps
 * @property {{id: string, role: "alert"}} problemProps of an element that is there while it is empty, too
 * @property {{id: string, role: "group" | "radiogroup", "aria-labelledby": string, "aria-describedby": string, "aria-required": boolean | undefined}} groupProps for options as radio buttons or checkboxes
 */

/** @param {Filling} filling @param {Filled} filled @param {number} index @param {string} prefix of ids @returns {FieldView} */
export function fieldView(filling, { entry, problem, code, sentence }, index, prefix) {
  const field = /** @type {FormField} */ (filling.form.fields[index])
  const { name, kind, title, description, required } = field
  const id = `${prefix}-${index}`
  const several = kind === "choices"
  const choices = choicesOf(field)
  const setValue = (/** @type {Entry} */ value) => filling.change(index, value)
  const check = () => filling.leave(index)
  const described = { "aria-describedby": `${description ? `${id}-about ` : ""}${id}-problem` }
  const told = { ...described, "aria-invalid": problem === undefined ? undefined : true }
  return {
    id,
    name,
    kind,
    field,
    label: title || name,
    description,
    required: required ?? false,
    options: choices?.map(({ value, title }, i) => ({
      value,
      label: title,
      inputProps: {
        id: `${id}-${i}`,
        type: several ? "checkbox" : "radio",
        name: id, // the server's own could hide members of the form element
        value,
        checked: several ? entry.includes(value) : entry === value,
        onChange: ({ target }) => setValue(several ? choices.map((choice) => choice.value).filter((other) => (other === value ? target.checked : entry.includes(other))) : value),
        onBlur: check,
        ...told,
      },
    })),
    value: entry,
    problem,
    code,
    sentence,
    setValue,
    check,
    inputProps: {
      id,
      ...(choices ? several && { multiple: true } : inputLook(field)),
      autoComplete: "off",
      required,
      value: typeof entry === "string" ? entry : [...entry],
      onChange: ({ target }) => setValue(several ? Array.from(target.selectedOptions ?? [], ({ value }) => value) : target.value),
      onBlur: ({ target }) => filling.leave(index, target.validity?.badInput),
      ...told,
    },
    labelProps: { id: `${id}-label`, htmlFor: several ? undefined : id, dir: "auto" },
    descriptionProps: { id: `${id}-about`, dir: "auto" },
    problemProps: { id: `${id}-problem`, role: "alert" },
    groupProps: { id, role: several ? "group" : "radiogroup", "aria-labelledby": `${id}-label`, "aria-required": several ? undefined : required, ...described },
  }
}
