/** Both pages. In this repository the package is a link, to beyond the example's folder. @type {import("vite").UserConfig} */
export default { server: { fs: { allow: ["../.."] } }, build: { target: "es2022", rollupOptions: { input: ["index.html", "signed-in.html"] } } }
