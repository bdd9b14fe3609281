/** Build options of the two bundles. Tests use them to check which file loads which. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

/** The root of the clone. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  define: {
    // React's development build takes 5 to 17 ms more per frame.
    'process.env.NODE_ENV': '"production"',
    // An undici switch that Node also sets. It leaves out an experimental parser of 52 kB.
    esbuildDetection: '1',
  },
} satisfies BuildOptions;

/** Ink loads the React developer tools only on request, and we do not depend on them. */
const withoutDeveloperTools: Plugin = {
  name: 'without-developer-tools',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    hooks.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default {};' }));
  },
};

/** Keeps only the fields of package.json that the program uses: version, homepage and bug address. */
const usedFields: Plugin = {
  name: 'used-fields',
  setup: (hooks) =>
    hooks.onLoad({ filter: /\/package\.json$/ }, async ({ path }) => {
      const { bugs, homepage, version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version, homepage, bugs: bugs?.url ?? bugs }), loader: 'json' };
    }),
};

/** `cli.js`: one small file that any Node can parse. */
export const launcherBundle = {
  ...shared,
  entryPoints: { cli: 'src/cli.ts' },
  external: ['./main.js'],
  plugins: [usedFields],
  // Old Node versions must be able to print which version is required.
  target: 'node12.20',
  supported: { 'dynamic-import': true },
  banner: { js: '#!/usr/bin/env node' },
} satisfies BuildOptions;

/** Bundled CommonJS packages only require Node's built-in modules. */
export const requireBanner = 'const require = process.getBuiltinModule;';

/** `main.js` and the chunks that load on demand. */
export const programBundle = {
  ...shared,
  entryPoints: { main: 'src/main.ts' },
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  minify: true,
  // Not published. Maintainers use them to read the stack trace of a bug report.
  sourcemap: process.argv.includes('--source-maps') ? 'external' : false,
  target: 'node22.19',
  // Prefers ES modules, because esbuild cannot follow what some CommonJS files load.
  mainFields: ['module', 'main'],
  banner: { js: requireBanner },
  plugins: [withoutDeveloperTools, usedFields],
} satisfies BuildOptions;
