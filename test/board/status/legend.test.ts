import { describe, expect, it } from 'vitest';
import { freshnessLooks, legend, rowSigns } from '../../../src/board/status/legend.ts';
import { inGlyphs } from '../../../src/lib/paint.ts';
import { stageTable } from '../../../src/parcels/stages.ts';

const signs = legend().flatMap(({ entries }) => entries.map(({ sign }) => sign.text));

describe('legend', () => {
  it('explains every sign of a row, and those of uncertain times', () => {
    const drawn = [
      ...Object.values(stageTable).map(({ sign }) => sign),
      ...Object.values(rowSigns),
      ...Object.values(freshnessLooks)
        .map(({ sign }) => sign)
        .filter((sign) => sign !== ' '),
      '~',
      '±',
    ];
    expect(signs).toEqual(expect.arrayContaining(drawn));
  });

  it('has an ASCII form of each sign', () => {
    for (const sign of signs) expect(inGlyphs(sign, 'ascii')).toMatch(/^[ -~]+$/);
  });
});
