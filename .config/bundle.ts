/** How the two bundles of the program are made; also read by the tests, which look at what loads what. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

/** The clone. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  // React's development build costs 5 to 17 ms a frame.
  define: { 'process.env.NODE_ENV': '"production"' },
} satisfies BuildOptions;

/** The launcher imports the program as a file of its own. */
const programIsSeparate: Plugin = {
  name: 'program-is-separate',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.js', external: true }));
  },
};

/** Ink loads the React developer tools on request only; they are no dependency of ours. */
const withoutDeveloperTools: Plugin = {
  name: 'without-developer-tools',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    hooks.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default {};' }));
  },
};

/** Layout's WebAssembly lies in its own file as text. Fetching it from there loads all of Node's fetch: 20 ms a start. */
const layoutWithoutFetch: Plugin = {
  name: 'layout-without-fetch',
  setup: (hooks) => {
    hooks.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => ({
      contents: `const fetch = undefined;\n${await readFile(path, 'utf8')}`,
    }));
  },
};

/** `cli.js`: one small file that any Node can parse. */
export const launcherBundle = {
  ...shared,
  entryPoints: { cli: 'src/cli.ts' },
  // Old Nodes must get as far as the sentence that says which Node is needed.
  target: 'node12.20',
  supported: { 'dynamic-import': true },
  banner: { js: '#!/usr/bin/env node' },
  plugins: [programIsSeparate],
} satisfies BuildOptions;

/** `main.js` and the chunks that load when they are needed. */
export const programBundle = {
  ...shared,
  entryPoints: { main: 'src/main.ts' },
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  target: 'node22.19',
  // Ink and its helpers bring four copies of an older version. One copy makes its tables once, 25 ms of the first frame,
  // and Ink measures a text exactly as the board does.
  alias: { 'string-width': './node_modules/string-width/index.js' },
  banner: {
    // Bundled CommonJS packages ask for Node's own modules with require.
    js: "import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
  },
  plugins: [withoutDeveloperTools, layoutWithoutFetch],
} satisfies BuildOptions;
