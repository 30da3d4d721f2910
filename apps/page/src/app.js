/** How the page speaks of itself. @type {import("../../kit/failure.js").App} */
export const app = { name: "this page", address: "come from whoever runs this page", access: ", and this page cannot tell it" }
