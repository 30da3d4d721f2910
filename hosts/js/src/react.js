"use client"
// State, questions and forms for React, from 18 on. The only files that import it are this entry's.

/**
 * @typedef {import("./forms/input.js").Entry} Entry
 * @typedef {import("./react-calls.js").CallSide} CallSide
 * @typedef {import("./react-calls.js").StartOptions} StartOptions
 * @typedef {import("./react-fields.js").FieldOption} FieldOption
 * @typedef {import("./react-fields.js").FieldView} FieldView
 * @typedef {import("./react-hooks.js").FormView} FormView
 * @typedef {import("./react-hooks.js").OnUnmount} OnUnmount
 */

export { Call, Calls } from "./react-calls.js"
export { CallsProvider, QuestionForm, useCalls, useQuestionForm, useQuestions } from "./react-hooks.js"
export { OpenQuestion } from "./react-question.js"
