// The library, where this checkout has it: from here the name of its package
// leads nowhere, and a copy of its own would have another PARK and other errors.

export * from "../../hosts/js/dist/index.js"
