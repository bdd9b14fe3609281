import { expect, test } from 'vitest';
import { drawnSize, maxWindow } from '../../../src/tui/terminal/frame-writer.ts';

test.each([
  ['at its own size', { columns: 120, rows: 40 }, { columns: 120, rows: 40 }],
  ['at its own size, however small', { columns: 1, rows: 1 }, { columns: 1, rows: 1 }],
  ['at the default size if it reports none', {}, { columns: 80, rows: 24 }],
  ['at the default size if it reports 0', { columns: 0, rows: 0 }, { columns: 80, rows: 24 }],
  ['at the maximum size if it is larger', { columns: 65_535, rows: 65_535 }, maxWindow],
  ['at the maximum width if it is wider', { columns: 5000, rows: 50 }, { columns: maxWindow.columns, rows: 50 }],
])('a window is drawn %s', (_how, reported, expected) => expect(drawnSize(reported)).toEqual(expected));
