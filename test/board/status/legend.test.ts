import { describe, expect, it } from 'vitest';
import { freshnessLooks, legend, rowSymbols } from '../../../src/board/symbols.ts';
import { inGlyphs } from '../../../src/lib/paint.ts';
import { stageTable } from '../../../src/parcels/stages.ts';

const symbols = legend().flatMap(({ entries }) => entries.map(({ symbol }) => symbol.text));

describe('legend', () => {
  it('explains every symbol of a row, and those of uncertain times', () => {
    const expected = [
      ...Object.values(stageTable).map(({ symbol }) => symbol),
      ...Object.values(rowSymbols),
      ...Object.values(freshnessLooks)
        .map(({ symbol }) => symbol)
        .filter((symbol) => symbol !== ' '),
      '~',
      '±',
    ];
    expect(symbols).toEqual(expect.arrayContaining(expected));
  });

  it('has an ASCII form of each symbol', () => {
    for (const symbol of symbols) expect(inGlyphs(symbol, 'ascii')).toMatch(/^[ -~]+$/);
  });
});
