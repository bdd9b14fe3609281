import { expect, test } from 'vitest';
import { drawnSize, maxWindow } from '../../../src/tui/terminal/frame-writer.ts';

test.each([
  ['as it is', { columns: 120, rows: 40 }, { columns: 120, rows: 40 }],
  ['as it is, however small', { columns: 1, rows: 1 }, { columns: 1, rows: 1 }],
  ['as usual when it tells nothing', {}, { columns: 80, rows: 24 }],
  ['as usual when it tells 0', { columns: 0, rows: 0 }, { columns: 80, rows: 24 }],
  ['no larger than anybody reads', { columns: 65_535, rows: 65_535 }, maxWindow],
  ['no wider than anybody reads', { columns: 5000, rows: 50 }, { columns: maxWindow.columns, rows: 50 }],
])('a window is drawn %s', (_how, told, drawn) => expect(drawnSize(told)).toEqual(drawn));
