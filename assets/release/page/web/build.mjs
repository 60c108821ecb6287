// Writes page.js and page.css into the folder named on the command line, by default the committed bundle.
import { readFile } from "node:fs/promises";
import { build } from "esbuild";

// The page lets no string become HTML. One line of OpenLayers measures a letter by way of HTML; as text it is the same.
const asText = {
  name: "as-text",
  setup(of) {
    of.onLoad({ filter: /ol[\\/]render[\\/]canvas\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const pieces = source.split("measureElement.innerHTML = 'M'");
      if (pieces.length !== 2) throw new Error(`found ${pieces.length - 1} places to rewrite in ${path}; expected 1`);
      return { contents: pieces.join("measureElement.textContent = 'M'"), loader: "js" };
    });
  },
};

await build({
  entryPoints: { page: "src/main.ts", style: "src/style.css" },
  outdir: process.argv[2] ?? "../bundle",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  plugins: [asText],
  logLevel: "warning",
});
