import assert from "node:assert/strict"
import { test } from "node:test"
import { utf8 } from "../bytes.mjs"
import { NotCanonical, canon } from "../canon.mjs"

const nested = (/** @type {number} */ depth) => "[".repeat(depth) + "]".repeat(depth)

test("canonical forms", () => {
  const forms = {
    // numbers: exact, d×10^x
    "0": "0", "-0": "0", "0.000": "0", "0e5": "0", "-0.0e-7": "0",
    "1": "1", "-1": "-1", "10": "1e1", "1000": "1e3", "1e3": "1e3", "1E+3": "1e3", "0.1e4": "1e3", "1000.0": "1e3",
    "12.5": "125e-1", "-0.0625": "-625e-4", "1.50": "15e-1", "100e-2": "1", "1e-0": "1", "1e007": "1e7",
    "9007199254740992": "9007199254740992", "9007199254740993": "9007199254740993",
    "123456789012345678901234567890": "12345678901234567890123456789e1",
    "1e9999": "1e9999", "1e-9999": "1e-9999", "0e9999": "0",
    // strings: RFC 8785
    '"\\u0041\\/"': '"A/"', '"\\u000a\\u001F\\b"': '"\\n\\u001f\\b"', '"\\"\\\\"': '"\\"\\\\"',
    '"\\ud83d\\ude00"': '"\u{1f600}"', '"\u{1f600}\u007f\u2028"': '"\u{1f600}\u007f\u2028"', '"\\ufeff"': '"\ufeff"',
    // members: sorted by UTF-16 code units of unescaped names
    '{"b":1,"a":2}': '{"a":2,"b":1}', '{"\\u0062":1,"a":2}': '{"a":2,"b":1}',
    '{"\ufb33":1,"\u{1f600}":2}': '{"\u{1f600}":2,"\ufb33":1}',
    '{"":1,"a":{"z":[],"y":{}}}': '{"":1,"a":{"y":{},"z":[]}}',
    '{"10":1,"9":2,"__proto__":3}': '{"10":1,"9":2,"__proto__":3}',
    ' [ 1 ,\t"a"\r\n, true,false , null ] ': '[1,"a",true,false,null]',
    [nested(64)]: nested(64),
  }
  for (const [json, want] of Object.entries(forms)) {
    assert.equal(canon(utf8(json)), want, json)
    assert.equal(canon(utf8(want)), want, `again: ${json}`)
  }
})

test("what has no canonical form", () => {
  const none = [
    "1e10000", "1e-10000", "0e10000", "1e99999999999999999999", "1" + "0".repeat(10000), "0." + "0".repeat(9999) + "1", "10e9999",
    nested(65), '{"a":'.repeat(65) + "1" + "}".repeat(65),
    '{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"a":1,"a":1}]',
    '"\\ud800"', '"\\udc00\\ud800"', '{"\\ud800":1}',
    "", " ", "{", "[1,]", '{"a":1,}', '{"a"}', "01", "+1", ".5", "1.", "1e", "nul", "NaN", '"\\x"', '"\u0001"', "'a'", "1 2", "\ufeff1", "[1]]",
  ]
  for (const json of none) assert.throws(() => canon(utf8(json)), NotCanonical, json.slice(0, 40))
  for (const bytes of [[0x22, 0xff, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0x80, 0x22]]) {
    assert.throws(() => canon(Uint8Array.from(bytes)), NotCanonical)
  }
})
