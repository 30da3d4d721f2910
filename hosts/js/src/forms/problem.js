/**
 * What can be wrong with what a person put into a field. A host with words of
 * its own goes by this and by the field, which has the bounds: see the README.
 * Values are those of the engine's package form, and only added to.
 */
export const ProblemCode = /* @__PURE__ */ Object.freeze({
  /** Half of an entry, such as a date without its year: the browser knows, so it is not the engine's. */
  partial: -1,
  /** Not the JSON it has to be. */
  malformed: 1,
  /** Of a schema: it would mislead, cannot be drawn, or is more than anybody could answer. */
  unsupported: 2,
  /** A required field is empty. */
  missing: 3,
  unknown: 4,
  repeated: 5,
  /** Not of the field's `kind`. */
  wrongKind: 6,
  /** Not Unicode text. */
  notText: 7,
  /** The field's `minLength`. */
  tooShort: 8,
  /** The field's `maxLength`. */
  tooLong: 9,
  /** The field's `minimum`. */
  tooSmall: 10,
  /** The field's `maximum`. */
  tooLarge: 11,
  /** A number with an exponent beyond 99999999, or too many digits for the field's `multipleOf`. */
  badExponent: 12,
  /** The field's `format`. */
  badFormat: 13,
  /** None of the field's `options`. */
  noChoice: 14,
  chosenTwice: 15,
  /** The field's `minItems`. */
  tooFew: 16,
  /** The field's `maxItems`. */
  tooMany: 17,
  /** Of a schema: it asks for a secret, which a form must not. */
  secret: 18,
  /** The field's `exclusiveMinimum`. */
  notAbove: 19,
  /** The field's `exclusiveMaximum`. */
  notBelow: 20,
  /** The field's `multipleOf`. */
  notMultiple: 21,
  /** Of a list: a value is not of the kind of `items`. */
  badValue: 22,
  /** The field's `uniqueItems`. */
  repetition: 23,
  /** Of a union: the value fits two of `alternatives` where it must fit one. */
  ambiguous: 24,
})
