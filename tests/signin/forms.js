#!/usr/bin/env node
// Stands in for a browser and the person before it: follows an authorization URL, fills in the forms of oidc-provider's
// development pages, and ends at the redirect. For BROWSER in the environment of a program that opens one.
//
//   node forms.js URL [NAME]

import { pathToFileURL } from "node:url"

/** Follows one URL to its end, and returns the text of the last page. @param {string} url @param {string} [name] */
export async function fillIn(url, name = "alice") {
  const cookies = new Map()
  let request = new Request(url)
  for (let pages = 0; pages < 30; pages++) {
    const at = new URL(request.url)
    request.headers.set("Cookie", [...(cookies.get(at.host) ?? [])].map(([key, value]) => `${key}=${value}`).join("; "))
    const response = await fetch(request, { redirect: "manual" })
    const jar = cookies.get(at.host) ?? new Map()
    cookies.set(at.host, jar)
    for (const cookie of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(key, value)
    }
    const next = response.headers.get("Location")
    const text = await response.text()
    const action = /<form[^>]* action="([^"]*)"/.exec(text)?.[1]
    const asked = /name="prompt" value="(login|consent)"/.exec(text)?.[1]
    if (next) request = new Request(new URL(next, at))
    else if (action && asked) {
      const fields = new URLSearchParams({ prompt: asked })
      if (asked === "login") for (const [field, text] of [["login", name], ["password", "any word will do"]]) fields.set(String(field), String(text))
      request = new Request(new URL(action.replaceAll("&amp;", "&"), at), { method: "POST", body: fields })
    } else if (response.ok) return text
    else throw new Error(`signing in ended with HTTP status ${response.status}`)
  }
  throw new Error("signing in did not end")
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [url, name] = process.argv.slice(2)
  if (!url) throw new Error("usage: forms.js URL [NAME]")
  await fillIn(url, name)
}
