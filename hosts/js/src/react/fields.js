import { choicesOf, hintOf, inputLook, leftToDefault, needed, readOnlyText, typesOf } from "../forms/input.js"

/** @import { Entry } from "../forms/input.js" */
/** @import { FormField } from "../forms/question.js" */
/** @import { Filled, Filling } from "./filling.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/** An input or select, as far as an event of it is looked at. @typedef {{value: string, selectedOptions?: ArrayLike<{value: string}>, validity?: {badInput: boolean}}} Control */

/**
 * The attributes of an `input` for text and the like, a `select` for one of
 * several, a `select` of which several can be chosen, and a `textarea` for a list,
 * with one value on each line.
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

/** One choice: `value` is JSON text, `label` the server's word for it, and Yes or No of a yes-or-no; of a union, `value` is a number and `label` a type. @typedef {{value: string, label: string, inputProps: OptionProps}} FieldOption */

/** The attributes of an `input` for one value of a list, and of the button that takes it away. @typedef {{inputProps: InputProps & {"aria-label": string}, removeProps: {type: "button", "aria-label": string, onClick: () => void}}} FieldItem */

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
 * @property {boolean} required the person has to fill it in
 * @property {string} [hint] what else the person is to know: examples, and what only the server checks
 * @property {string} [notice] that the server may use its default, once the person has cleared the field
 * @property {string} [readOnly] what stands in a field that is only shown, without a control; undefined for any other
 * @property {FieldOption[]} [options] what there is to choose from, of a union the types; undefined for a field that is typed into
 * @property {FieldItem[]} [items] of a list: its values, one at least
 * @property {{type: "button", disabled: boolean, onClick: () => void}} [addProps] of a list: of the button that adds a value
 * @property {FieldView} [picked] of a union: the field for a value of the type that was picked, without a label of its own
 * @property {Entry} value what stands there
 * @property {string} [problem] what is wrong with it, in words that continue after the label, once the person is to be told
 * @property {number} [code] of the problem, for a host with words of its own: one of ProblemCode
 * @property {Sentence} [sentence] the problem, to be translated
 * @property {(value: Entry) => void} setValue for a control of the host's own
 * @property {() => void} check shows what is wrong, as when the person leaves it
 * @property {InputProps} inputProps
 * @property {{id: string, htmlFor: string | undefined, dir: "auto"}} labelProps
 * @property {{id: string, dir: "auto"}} descriptionProps
 * @property {{id: string}} hintProps
 * @property {{id: string, role: "alert"}} problemProps of an element that is there while it is empty, too
 * @property {{id: string, role: "group" | "radiogroup", "aria-labelledby": string, "aria-describedby": string, "aria-required": boolean | undefined}} groupProps for options as radio buttons or checkboxes
 */

/** @param {Filling} filling @param {Filled} filled @param {number} index @param {string} prefix of ids @returns {FieldView} */
export function fieldView(filling, filled, index, prefix) {
  const field = /** @type {FormField} */ (filling.form.fields[index])
  const id = `${prefix}-${index}`
  const of = field.alternatives?.[filled.picked ?? -1]
  const view = viewOf(filling, filled, index, field, id)
  if (!field.alternatives) return view
  const pick = (/** @type {Entry} */ value) => filling.pick(index, value === "" ? undefined : Number(value))
  const value = filled.picked === undefined ? "" : String(filled.picked)
  const types = viewOf(filling, { ...filled, entry: value }, index, { ...field, kind: "choice", options: undefined }, id, pick, typesOf(field))
  // Told once, beside the type.
  const picked = of && viewOf(filling, { ...filled, problem: undefined }, index, { ...of, description: undefined }, `${id}-value`)
  const told = { "aria-invalid": types.inputProps["aria-invalid"], "aria-describedby": types.inputProps["aria-describedby"] }
  return { ...types, kind: "union", field, picked: picked && { ...picked, label: types.label, inputProps: { ...picked.inputProps, ...told } } }
}

/**
 * @param {Filling} filling @param {Filled} filled @param {number} index @param {FormField} field @param {string} id
 * @param {(value: Entry) => void} [setValue] @param {{value: string, title: string}[]} [choices]
 * @returns {FieldView}
 */
function viewOf(filling, { entry, problem, code, sentence, left }, index, field, id, setValue = (value) => filling.change(index, value), choices = choicesOf(field)) {
  const { name, kind, title, description, maxItems = Infinity } = field
  const several = kind === "choices"
  const check = () => filling.leave(index)
  const hint = hintOf(field)
  const described = { "aria-describedby": [description && `${id}-about`, hint && `${id}-hint`, `${id}-problem`].filter(Boolean).join(" ") }
  const told = { ...described, "aria-invalid": problem === undefined ? undefined : true }
  const required = needed(field)
  const lines = kind === "list" ? String(entry).split("\n") : undefined
  /** @type {InputProps} */
  const inputProps = {
    id,
    ...(choices ? several && { multiple: true } : !lines && inputLook(field)),
    autoComplete: "off",
    required,
    value: typeof entry === "string" ? entry : [...entry],
    onChange: ({ target }) => setValue(several ? Array.from(target.selectedOptions ?? [], ({ value }) => value) : target.value),
    onBlur: ({ target }) => filling.leave(index, target.validity?.badInput),
    ...told,
  }
  return {
    id,
    name,
    kind,
    field,
    label: title || name,
    description,
    required,
    hint: hint || undefined,
    notice: left ? leftToDefault.message : undefined,
    readOnly: field.readOnly ? readOnlyText(field) : undefined,
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
    items: lines?.map((line, i) => ({
      inputProps: {
        ...inputProps,
        ...inputLook(field),
        id: `${id}-${i}`,
        "aria-label": `${title || name}, value ${i + 1}`,
        required: undefined,
        value: line,
        onChange: ({ target }) => setValue(lines.map((other, at) => (at === i ? target.value.replaceAll("\n", " ") : other)).join("\n")),
      },
      removeProps: { type: "button", "aria-label": `Remove value ${i + 1}`, onClick: () => setValue(lines.filter((_, other) => other !== i).join("\n")) },
    })),
    addProps: lines && { type: "button", disabled: lines.length >= maxItems, onClick: () => setValue([...lines, ""].join("\n")) },
    value: entry,
    problem,
    code,
    sentence,
    setValue,
    check,
    inputProps,
    labelProps: { id: `${id}-label`, htmlFor: several || lines ? undefined : id, dir: "auto" },
    descriptionProps: { id: `${id}-about`, dir: "auto" },
    hintProps: { id: `${id}-hint` },
    problemProps: { id: `${id}-problem`, role: "alert" },
    groupProps: { id, role: several || lines ? "group" : "radiogroup", "aria-labelledby": `${id}-label`, "aria-required": several || lines ? undefined : required, ...described },
  }
}
