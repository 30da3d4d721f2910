"use client"
// State, questions and forms for React, from 18 on. The only files that import it are this entry's.

/**
 * @typedef {import("../forms/input.js").Entry} Entry
 * @typedef {import("./calls.js").CallSide} CallSide
 * @typedef {import("./calls.js").StartOptions} StartOptions
 * @typedef {import("./fields.js").FieldOption} FieldOption
 * @typedef {import("./fields.js").FieldView} FieldView
 * @typedef {import("./hooks.js").FormView} FormView
 * @typedef {import("./hooks.js").OnUnmount} OnUnmount
 */

export { Call, Calls } from "./calls.js"
export { CallsProvider, QuestionForm, useCalls, useQuestionForm, useQuestions } from "./hooks.js"
export { OpenQuestion } from "./question.js"
