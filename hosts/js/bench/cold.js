// Prints how long a process takes from here to the result of its first call of
// two legs, and how long processors worked for it, in milliseconds: import, instantiate, call.
const begun = performance.now()
const cpu = process.cpuUsage()
const name = process.argv[2] === "sdk" ? "sdk" : "session"
const once = await (await import(`./${name}.js`))[name](2)
await once()
const { user, system } = process.cpuUsage(cpu) // us
console.log(performance.now() - begun, (user + system) / 1000)
process.exit() // timers of the SDK would keep it
