import { describe, expect, test } from 'vitest';
import { cellWidth } from '../../../src/lib/cells.ts';
import { findBinding, footerKeys, keyGroupFor, keymap } from '../../../src/tui/app/keymap.ts';
import { Footer } from '../../../src/tui/app/screen.tsx';
import type { FooterProps } from '../../../src/tui/footer.ts';
import type { KeyContext } from '../../../src/tui/keys/binding.ts';
import { initialUiState } from '../../../src/tui/ui-state.ts';
import { renderRows } from '../drawn.tsx';

const footer = ({
  context,
  ...props
}: Omit<FooterProps, 'glyphs' | 'keys'> & { readonly context: KeyContext }): readonly string[] =>
  renderRows(<Footer {...props} keys={footerKeys(context, board)} glyphs="symbols" />, props.width);

const board = { keymap, ui: initialUiState, heading: null, layout: { kind: 'stacked' }, scan: null } as never;

const contexts = keymap.map(({ context }) => context);
const quit = findBinding('list', 'q')?.run;
const interrupt = findBinding('list', 'ctrl+c')?.run;

describe('the keymap', () => {
  test.each(contexts)('no key has two meanings in %s', (context) => {
    const keys = keyGroupFor(context).bindings.flatMap((binding) => binding.keys);
    expect(keys).toEqual([...new Set(keys)]);
  });

  test.each(contexts.filter((context) => context !== 'scan'))('Ctrl+C quits from %s', (context) => {
    expect(interrupt).toBeDefined();
    expect(findBinding(context, 'ctrl+c')?.run).toBe(interrupt);
  });

  test.each(contexts)('Escape goes back from %s and never quits', (context) => {
    const run = findBinding(context, 'escape')?.run;
    expect(run).toBeDefined();
    expect(run).not.toBe(quit);
    expect(run).not.toBe(interrupt);
  });

  test.each(['add', 'filter', 'help'] as const)('letters are text in %s', (context) => {
    for (const letter of ['q', 'j', 'x', 'a', '/', 't', 'u']) expect(findBinding(context, letter)).toBeNull();
  });

  test.each(contexts)('the footer of %s fits every width and keeps the way out', (context) => {
    const wayOut = footerKeys(context, board).findLast(({ alwaysShown }) => alwaysShown === true)?.hint ?? 'quit';
    for (const width of [40, 60, 84, 160]) {
      const [row = '', ...more] = footer({ context, message: null, width });
      expect(more).toEqual([]);
      expect(cellWidth(row)).toBeLessThanOrEqual(width);
      expect(row).toContain(wayOut);
    }
    if (context === 'list') expect(footer({ context, message: null, width: 40 })[0]).toContain('? help  q quit');
  });

  test('a message precedes the keys, which make room for it', () => {
    const message = { tone: 'attention', text: 'That number is too short.' } as const;
    const textAt = (width: number): string => footer({ context: 'list', message, width })[0] ?? '';
    expect(textAt(120)).toMatch(
      /^ ! That number is too short\. {2,}⏎ timeline {2}.*x archive {2}.*\? help {2}q quit *$/,
    );
    expect(textAt(60)).toMatch(/^ ! That number is too short\. +⏎ timeline {2}.*\? help {2}q quit *$/);
    expect(textAt(50)).toMatch(/^ ! That number is too short\. +\? help {2}q quit *$/);
    expect(textAt(40).trimEnd()).toBe(' ! That number is too short.');
    expect(textAt(20)).toBe(' ! That number is t…');
    for (let width = 1; width < 130; width += 1) expect(cellWidth(textAt(width))).toBeLessThanOrEqual(width);
  });

  test('the footer shows the most useful keys first, and drops adding, filter, timeline, help and quit last', () => {
    const hintsAt = (width: number): string => footer({ context: 'list', message: null, width })[0] ?? '';
    expect(hintsAt(160)).toMatch(/^ ⏎ timeline {2}a add {2}\/ filter {2}Space mark {2}x archive {2}s order {2}o page /);
    expect(hintsAt(80)).toContain('x archive');
    expect(hintsAt(80)).not.toContain('t times');
    expect(hintsAt(46).trimEnd()).toBe(' ⏎ timeline  a add  / filter  ? help  q quit');
  });

  test('a message that does not fit keeps all of its advice', () => {
    const message = {
      tone: 'plain',
      text: 'Deleted Birthday present for Grandmother.',
      advice: 'Press u to undo.',
    } as const;
    const textAt = (width: number): string => footer({ context: 'list', message, width })[0] ?? '';
    expect(textAt(160)).toMatch(/^ Deleted Birthday present for Grandmother\. Press u to undo\. {2,}/);
    expect(textAt(40)).toBe(' Deleted Birthday pres… Press u to undo.');
  });

  test('a message with several sentences keeps the last one, which says what to do', () => {
    const sentence = 'postgres://db.example/parcels cannot be reached (ECONNREFUSED).';
    const advice = 'Check the server and the network, then try again.';
    const message = { tone: 'attention', text: `${sentence} ${advice}` } as const;
    const textAt = (width: number): string => footer({ context: 'list', message, width })[0] ?? '';
    expect(textAt(160)).toContain(`${sentence} ${advice}`);
    expect(textAt(81)).toBe(` ! The database cannot be reac… ${advice}`);
    expect(textAt(61)).toMatch(/^ ! The database cannot be reached \(ECONNREFUSED\)\. Check.*…$/);
  });
});
