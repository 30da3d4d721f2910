import { half } from "./halves.js"

await half(1)
