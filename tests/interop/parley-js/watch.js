// Subscribes with Parley's own client in JavaScript, has something change, and
// completes an argument. Prints what it saw as one line of JSON.
import { setTimeout as sleep } from "node:timers/promises"

import { connect, fetchTransport, load } from "../../../hosts/js/dist/node.js"
import { stdioTransport } from "../../../hosts/js/dist/transport/stdio-node.js"
import { patience } from "../js/play.js"

/** @import { Changed, Subscribed } from "../../../hosts/js/dist/node.js" */

const [first = "", ...rest] = process.argv.slice(2)
const transport = first === "--" ? stdioTransport({ command: rest[0] ?? "", args: rest.slice(1), env: process.env, stderr: "inherit" }) : fetchTransport(first)

/** @type {Set<string>} */
const changed = new Set()
/** @type {(granted: Subscribed) => void} */
let grant = () => {}
const granted = new Promise((/** @type {(granted: Subscribed) => void} */ resolve) => { grant = resolve })

const session = connect(await load(), transport, {
  probeTimeout: patience,
  watchers: {
    onSubscribed: grant,
    onChanged: ({ missed, toolsListChanged, resourceSubscriptions = [] }) => {
      if (missed) return
      if (toolsListChanged) changed.add("tools")
      for (const uri of resourceSubscriptions) changed.add(uri)
    },
  },
})
session.subscribe({ toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["interop://report"] })
const { toolsListChanged, promptsListChanged, resourceSubscriptions } = await granted
while (changed.size < 2) { // a server of the earlier era tells on a stream that may not be open yet
  await session.callTool({ name: "touch" })
  await sleep(20)
}
const { values } = await session.complete({ prompt: "advise", argument: "topic", value: "te" })
console.log(JSON.stringify({ granted: { toolsListChanged, promptsListChanged, resourceSubscriptions }, changed: [...changed], values }))
await session.close()
