// Prints how long a process takes from here to the result of its first call of
// two legs, in milliseconds: import, instantiate, call.
const begun = performance.now()
const name = process.argv[2] === "sdk" ? "sdk" : "session"
const once = await (await import(`./${name}.js`))[name](2)
await once()
console.log(performance.now() - begun)
process.exit() // timers of the SDK would keep it
