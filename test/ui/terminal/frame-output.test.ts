import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getEndCode } from '../../../node_modules/@alcalzone/ansi-tokenize/build/ansiCodes.js';
import {
  ansiCodesToString,
  diffAnsiCodes,
  reduceAnsiCodesIncremental,
} from '../../../node_modules/@alcalzone/ansi-tokenize/build/index.js';
import InkOutput from '../../../node_modules/ink/build/output.js';
import { frameOutput, type OutputClass, type Transformer } from '../../../src/ui/terminal/frame-output.ts';
import { rounds } from '../../support/rounds.ts';

let cellOutputs = 0;
class CellOutput extends InkOutput {
  constructor(size: { readonly width: number; readonly height: number }) {
    super(size);
    cellOutputs += 1;
  }
}
const FrameOutput = frameOutput(CellOutput as unknown as OutputClass, {
  endCodeOf: getEndCode,
  reduce: (codes, added) => reduceAnsiCodesIncremental([...codes], [...added]),
  difference: (from, to) => ansiCodesToString(diffAnsiCodes([...from], [...to])),
});

interface Write {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly transformers: readonly Transformer[];
}

function drawn(Output: OutputClass, writes: readonly Write[], width = 40): string {
  const output = new Output({ width, height: 6 });
  for (const { x, y, text, transformers } of writes) output.write(x, y, text, { transformers });
  const { height, output: rows } = output.get();
  expect(height).toBe(6);
  return rows;
}

const write = (x: number, y: number, text: string, ...transformers: readonly Transformer[]): Write => ({
  x,
  y,
  text,
  transformers,
});

const inBold: Transformer = (row) => (row === '' ? '' : `\u001b[1m${row}\u001b[22m`);
const numbered: Transformer = (row, index) => `${index}${row}`;
const link = (text: string): string => `\u001b]8;;https://example.com/a?b=1\u001b\\${text}\u001b]8;;\u001b\\`;

const sequences = ['1', '2', '22', '0', '31', '36', '39', '7', '27', '41', '49', '90', '4', '24', '999'].map(
  (code) => `\u001b[${code}m`,
);
const simplePiece = fc.constantFrom(
  'a',
  'b c',
  '  ',
  '│',
  '╭─',
  '●',
  'é',
  '你好',
  'พัสดุ',
  'x'.repeat(12),
  link('way'),
  '…',
);
const otherPiece = fc.constantFrom(
  '🎁',
  'e\u0301',
  '\u200b',
  '\u001b[1;31m',
  '\u001b[38;5;9m',
  '\t',
  '🇩🇪',
  '\u0e48',
  '\u001b]8;;a b\u0007x\u001b]8;;\u0007',
  'ﾞ',
);
const textOf = (others: number) =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: simplePiece },
        { weight: 4, arbitrary: fc.constantFrom(...sequences) },
        { weight: 1, arbitrary: fc.constant('\n') },
        { weight: others, arbitrary: otherPiece },
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
const writeOf = (others: number): fc.Arbitrary<Write> =>
  fc.record({
    x: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 45 }) }, fc.constantFrom(-2, 3.5)),
    y: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 6 }) }, fc.constantFrom(-1, 1.5)),
    text: textOf(others),
    transformers: fc.subarray([inBold, numbered]),
  });

describe('a frame', () => {
  it.each([0, 1])('is the same as Ink makes it, with %i odd characters among ten', (others) => {
    fc.assert(
      fc.property(fc.array(writeOf(others), { maxLength: 8 }), (writes) => {
        expect(drawn(FrameOutput, writes)).toBe(drawn(InkOutput as unknown as OutputClass, writes));
      }),
      { numRuns: rounds(400) },
    );
  });

  it('is the same behind another one that it has texts in common with', () => {
    const frames = fc
      .array(writeOf(1), { maxLength: 8 })
      .chain((writes) => fc.array(fc.subarray(writes), { minLength: 2, maxLength: 4 }));
    fc.assert(
      fc.property(frames, fc.constantFrom(40, 38), (common, width) => {
        for (const writes of common)
          expect(drawn(FrameOutput, writes, width)).toBe(drawn(InkOutput as unknown as OutputClass, writes, width));
      }),
      { numRuns: rounds(200) },
    );
  });

  it('has only rows made for it that are others than in the frame before', () => {
    const made: string[] = [];
    const noted: Transformer = (row) => {
      made.push(row);
      return row;
    };
    const notedToo: Transformer = (row) => noted(row, 0);
    const one = write(2, 1, 'one', noted);
    const wide = [write(0, 2, 'two 🎁', noted), write(20, 2, 'three', noted)];
    drawn(FrameOutput, [one, ...wide]);
    made.length = 0;
    drawn(FrameOutput, [one, ...wide]);
    expect(made).toEqual([]);
    drawn(FrameOutput, [write(2, 1, 'one!', noted), ...wide]);
    drawn(FrameOutput, [write(3, 1, 'one!', noted), ...wide]);
    drawn(FrameOutput, [write(3, 1, 'one!', notedToo), ...wide]);
    expect(made).toEqual(['one!', 'one!', 'one!']);
    drawn(FrameOutput, [one, ...wide], 38);
    expect(made).toEqual(expect.arrayContaining(['one', 'two 🎁', 'three']));
  });

  it('of simple texts beside each other is made without cells', () => {
    cellOutputs = 0;
    const rows = drawn(FrameOutput, [
      write(0, 0, '╭─ List ─╮\u001b[31m late\u001b[39m'),
      write(20, 0, '\u001b[2m2 h ago\u001b[22m', inBold),
      write(0, 1, `Paket für 你好\n${link('พัสดุ')}`),
    ]);
    expect(rows).toContain('\u001b[31m late');
    expect(cellOutputs).toBe(0);
  });

  it('leaves to Ink what is clipped', () => {
    const [ours, theirs] = [FrameOutput, InkOutput as unknown as OutputClass].map((Output) => {
      const output = new Output({ width: 10, height: 2 });
      output.write(0, 0, 'before', { transformers: [] });
      output.clip({ x1: 2, x2: 5, y1: undefined, y2: undefined });
      output.write(0, 1, 'clipped off', { transformers: [] });
      output.unclip();
      output.write(8, 1, 'x', { transformers: [] });
      return output.get();
    });
    expect(ours).toEqual(theirs);
  });
});
