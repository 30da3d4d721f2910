"use client"

import { load } from "@parley-mcp/parley"
import { useEffect, useState } from "react"

export default function Page() {
  const [live, setLive] = useState()
  useEffect(() => {
    globalThis.engine = load()
    globalThis.engine.then((engine) => setLive(engine.live))
  }, [])
  return <p>{live === undefined ? "The engine is loading." : `The engine holds ${live} sessions.`}</p>
}
