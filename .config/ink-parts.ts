/**
 * What a start of the board and every frame spend time on inside Ink and the packages that it measures texts with, put right
 * in the bundle. Each part gives the same answers as before, which tests compare; what a package has changed so that its
 * part no longer fits ends the build.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Puts one text of a file in place of another that must be there. */
function replaced(source: string, path: string, before: string, after: string): string {
  if (!source.includes(before)) throw new Error(`${path} is written otherwise than it was: it has no ${before}`);
  return source.replace(before, () => after);
}

/**
 * What measures and cuts texts of any script, as one function each. It makes tables of all emoji, which takes longer than
 * the rest of a list, and most texts are simple enough to be measured without.
 */
const textPackages = ['string-width', 'cli-truncate', 'wrap-ansi'];

/** Runs the modules of these packages when their function is first called, widths when a text is not simple. */
export const packagesWhenUsed = (root: string): Plugin => ({
  name: 'packages-when-used',
  setup: (hooks) => {
    hooks.onResolve({ filter: new RegExp(`^(?:${textPackages.join('|')})$`) }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'package-when-used' } : undefined,
    );
    hooks.onLoad({ filter: /.*/, namespace: 'package-when-used' }, ({ path }) => {
      const whole = `let loaded;\nconst whole = (...given) => (loaded ??= require(${JSON.stringify(path)}).default)(...given);`;
      const contents =
        path === 'string-width'
          ? `import { styledWidth } from './src/board/text/styled-text.ts';
${whole}
export default (text, options) => (options === undefined ? styledWidth(text) : null) ?? whole(text, options);`
          : `${whole}\nexport default whole;`;
      return { contents, resolveDir: root };
    });
  },
});

/** What is used of date-fns-tz, by commands that are given a time or print one on a clock that nobody looks at. */
const timeFunctions = ['formatInTimeZone', 'toDate'];

/** Runs date-fns-tz when one of its functions is first called: it tries out the clock of a zone at once, which takes 15 ms. */
export const timesWhenUsed = (root: string): Plugin => ({
  name: 'times-when-used',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^date-fns-tz$/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'times-when-used', sideEffects: false } : undefined,
    );
    hooks.onLoad({ filter: /.*/, namespace: 'times-when-used' }, () => ({
      contents: timeFunctions
        .map((name) => {
          const module = JSON.stringify(`./node_modules/date-fns-tz/dist/esm/${name}/index.js`);
          return `export const ${name} = (...given) => require(${module}).${name}(...given);`;
        })
        .join('\n'),
      resolveDir: root,
    }));
  },
});

/** In place of the global of this name. */
const monotonicPerformance = `const performance = {
  now: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
};`;

/**
 * Modules of Node that packages of the screen load at once and hardly use, which takes as long as to draw a frame:
 * assertions for the one in `signal-exit`, ciphers for the keys of the table that shows the details, measurements of
 * performance for the time that it is.
 */
export const screenPackagesWithoutBuiltins: Plugin = {
  name: 'screen-packages-without-builtins',
  setup: (hooks) => {
    hooks.onLoad({ filter: /[\\/]signal-exit[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: replaced(source, path, "require('assert')", '{ equal: () => undefined }') };
    });
    hooks.onLoad(
      { filter: /[\\/](?:scheduler\.production|ink[\\/]build[\\/](?:ink|components[\\/]App))\.js$/ },
      async ({ path }) => ({
        contents: `${monotonicPerformance}\n${await readFile(path, 'utf8')}`,
      }),
    );
    hooks.onResolve({ filter: /^object-hash$/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'hash-when-used' } : undefined,
    );
    hooks.onLoad({ filter: /.*/, namespace: 'hash-when-used' }, ({ path }) => ({
      contents: `export const sha1 = (...given) => require(${JSON.stringify(path)}).sha1(...given);`,
      resolveDir: join(import.meta.dirname, '..'),
    }));
  },
};

/** Makes a segmenter when a text is first taken apart: the first one of a process takes as long as all of React. */
function segmenterWhenUsed(source: string): string {
  return source.replaceAll(
    /^const (\w+) = (new Intl\.Segmenter\([^()]*\));$/gm,
    (_, name: string, made: string) =>
      `let ${name}WhenUsed;\nconst ${name} = { segment: (text) => (${name}WhenUsed ??= ${made}).segment(text) };`,
  );
}

/** Segmenters of our own and of all packages. */
export const segmentersWhenUsed: Plugin = {
  name: 'segmenters-when-used',
  setup: (hooks) => {
    hooks.onLoad({ filter: /\.(?:js|ts)$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = segmenterWhenUsed(source);
      return contents === source ? undefined : { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** Parts of Ink, each with what is put right in it. */
const inkParts: Readonly<Record<string, (source: string, path: string, root: string) => string>> = {
  'output.js': (source, path, root) => `${replaced(source, path, 'export default class Output', 'class CellOutput')}
import { ansiCodesToString, diffAnsiCodes, reduceAnsiCodesIncremental as reduce } from '@alcalzone/ansi-tokenize';
import { getEndCode as endCodeOf } from ${JSON.stringify(join(root, 'node_modules/@alcalzone/ansi-tokenize/build/ansiCodes.js'))};
import { frameOutput } from ${JSON.stringify(join(root, 'src/ui/terminal/frame-output.ts'))};
const difference = (from, to) => ansiCodesToString(diffAnsiCodes(from, to));
export default frameOutput(CellOutput, { endCodeOf, reduce, difference });`,
  // Simple texts hold no sequence that would have to be taken out.
  'sanitize-ansi.js': (source, path, root) => `${replaced(source, path, 'export default sanitizeAnsi;', '')}
import { styledParts } from ${JSON.stringify(join(root, 'src/board/text/styled-text.ts'))};
export default (text) => (text.split('\\n').every((row) => styledParts(row) !== null) ? text : sanitizeAnsi(text));`,
  // The characters of simple texts need not be found first.
  'line-update.js': (source, path, root) => `${replaced(
    replaced(
      source,
      path,
      'printableAscii.test(previousText) && printableAscii.test(nextText)',
      'isPlain(previousText) && isPlain(nextText)',
    ),
    path,
    'column = textLimit;',
    'column = stringWidth(nextText.slice(0, textLimit));',
  )}
import { isPlain } from ${JSON.stringify(join(root, 'src/board/text/simple-text.ts'))};`,
};

/** Puts these parts of Ink in place of its own. */
export const inkInParts = (root: string): Plugin => ({
  name: 'ink-in-parts',
  setup: (hooks) => {
    const names = Object.keys(inkParts).join('|').replaceAll('.', '\\.');
    hooks.onLoad({ filter: new RegExp(`[\\\\/]ink[\\\\/]build[\\\\/](?:${names})$`) }, async ({ path }) => {
      const source = segmenterWhenUsed(await readFile(path, 'utf8'));
      const part = inkParts[path.split(/[\\/]/).at(-1) ?? ''];
      return { contents: part === undefined ? source : part(source, path, root) };
    });
  },
});
