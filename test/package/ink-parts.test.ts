import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programBundle, root } from '../../.config/bundle.ts';
import { isShortRun, rounds } from '../support/rounds.ts';

/** What the bundle has parts of our own for. */
interface Parts {
  readonly lineUpdate: (before: string, after: string, columns: number) => string;
  readonly sanitizeAnsi: (text: string) => string;
  readonly stringWidth: typeof stringWidth;
}

const ourParts = ['ink-in-parts', 'packages-when-used', 'segmenters-when-used'];

async function bundled(outfile: string, isOurs: boolean): Promise<Parts> {
  const { entryPoints: _, splitting: _splitting, chunkNames: _chunkNames, plugins, ...options } = programBundle;
  await build({
    ...options,
    plugins: plugins.filter(({ name }) => isOurs || !ourParts.includes(name)),
    stdin: {
      contents: `export { default as lineUpdate } from './node_modules/ink/build/line-update.js';
export { default as sanitizeAnsi } from './node_modules/ink/build/sanitize-ansi.js';
export { default as stringWidth } from 'string-width';`,
      resolveDir: root,
    },
    outfile,
  });
  return (await import(pathToFileURL(outfile).href)) as Parts;
}

let folder: string;
let parts: Parts;
/** As the packages have them. */
let theirs: Parts;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-ink-parts-'));
  parts = await bundled(join(folder, 'ours.mjs'), true);
  theirs = await bundled(join(folder, 'theirs.mjs'), false);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pieces = [
  ...['a', 'b c', '  ', '│', '╭─', '●', 'é', '你好', 'พัสดุ', '…', '—', '·', '\n', '가'],
  ...['\u001b[1m', '\u001b[22m', '\u001b[31m', '\u001b[39m', '\u001b[0m', '\u001b[m', '\u001b[1;32m', '\u001b[38:5:9m'],
  ...['\u001b]8;;https://example.com/\u001b\\', '\u001b]8;;\u001b\\', '\u001b]8;;a b\u0007', '\u001b[2J', '\u001b[3'],
  ...['🎁', 'e\u0301', '\u0301', '\u200b', '\t', '🇩🇪', '\u0e48', 'ﾞ', '\ufe0f', '\u200d', '\u0007', '\u009b1m'],
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));
/** Two rows that begin alike, as those of one frame and the next. */
const rows = fc
  .tuple(text, text, text)
  .map((parts) => parts.map((part) => part.replaceAll('\n', '')))
  .map(([start = '', before = '', after = '']) => [start + before, start + after] as const);

describe('what the bundle has in place of parts of Ink', () => {
  it('measures every character as the package does', () => {
    const wrong: string[] = [];
    for (let point = 0; point <= 0x1ffff; point += isShortRun() ? 11 : 1) {
      const character = String.fromCodePoint(point);
      if (parts.stringWidth(character) !== stringWidth(character)) wrong.push(point.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it('measures texts as the package does', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(parts.stringWidth(given)).toBe(stringWidth(given));
        expect(parts.stringWidth(given, { ambiguousIsNarrow: false })).toBe(
          stringWidth(given, { ambiguousIsNarrow: false }),
        );
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('takes out of texts what Ink takes out', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(parts.sanitizeAnsi(given)).toBe(theirs.sanitizeAnsi(given));
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('writes of a row what Ink writes', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 40 }), ([before, after], columns) => {
        expect(parts.lineUpdate(before, after, columns)).toBe(theirs.lineUpdate(before, after, columns));
      }),
      { numRuns: rounds(1000) },
    );
  });
});
