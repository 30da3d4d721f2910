import { t } from "../../shared-js/language.js"

/** How the page speaks of itself. @type {import("../../shared-js/failure.js").App} */
export const app = { name: t`this page`, address: t`come from whoever runs this page`, access: t`, and this page cannot tell it`, forbidden: t`If you would have to allow more, this page cannot see it: whoever runs the server has to let pages read the header WWW-Authenticate (Access-Control-Expose-Headers: WWW-Authenticate).` }
