// Writes page.js and page.css into the folder named on the command line, by default the committed bundle.
import { build } from "esbuild";

await build({
  entryPoints: { page: "src/main.ts", style: "src/style.css" },
  outdir: process.argv[2] ?? "../bundle",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  loader: { ".png": "dataurl" },
  logLevel: "warning",
});
