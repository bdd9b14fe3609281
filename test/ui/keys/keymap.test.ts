import { describe, expect, test } from 'vitest';
import { cellWidth, lineText, lineWidth } from '../../../src/board/text/cells.ts';
import { footerLine } from '../../../src/ui/footer/view.tsx';
import { helpLines } from '../../../src/ui/help/help-text.ts';
import { keyCap } from '../../../src/ui/keys/key-caps.ts';
import { findBinding, keymap, keysOf } from '../../../src/ui/keys/keymap.ts';

const contexts = keymap.map(({ context }) => context);
const quit = findBinding('list', 'q')?.run;
const bindings = keymap.flatMap((group) => group.bindings);

describe('the keymap', () => {
  test.each(contexts)('no key has two meanings in %s', (context) => {
    const keys = keysOf(context).bindings.flatMap((binding) => binding.keys);
    expect(keys).toEqual([...new Set(keys)]);
  });

  test.each(contexts)('Ctrl+C quits from %s', (context) => {
    expect(findBinding(context, 'ctrl+c')?.run).toBe(quit);
  });

  test.each(contexts)('Escape goes back from %s and never quits', (context) => {
    const run = findBinding(context, 'escape')?.run;
    expect(run).toBeDefined();
    expect(run).not.toBe(quit);
  });

  test.each(['add', 'filter'] as const)('letters are text in %s', (context) => {
    for (const letter of ['q', 'j', 'x', 'a', '?', '/', 't', 'u']) expect(findBinding(context, letter)).toBeNull();
  });

  test('the help names every key with its description', () => {
    const help = helpLines(100, 'list').map(lineText).join(' ').replaceAll(/ +/g, ' ');
    for (const binding of bindings) {
      expect(help).toContain(binding.description);
      for (const key of binding.keys) expect(help).toContain(keyCap(key));
    }
  });

  test('the help fits every width', () => {
    for (const width of [38, 60, 82, 158]) {
      for (const line of helpLines(width, 'add')) expect(lineWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  test.each(contexts)('the footer of %s fits every width and keeps the way out', (context) => {
    for (const width of [40, 60, 84, 160]) {
      const text = lineText(footerLine(context, null, width, 'symbols'));
      expect(cellWidth(text)).toBe(width);
    }
    if (context === 'list') expect(lineText(footerLine(context, null, 40, 'symbols'))).toContain('? help  q quit');
  });

  test('a message stands before the keys, which give way to it', () => {
    const message = { tone: 'attention', text: 'That number is too short.' } as const;
    const textAt = (width: number): string => lineText(footerLine('list', message, width, 'symbols'));
    expect(textAt(120)).toMatch(
      /^ ! That number is too short\. {3,}⏎ timeline {2}a add {2}\/ filter .*\? help {2}q quit {2}$/,
    );
    expect(textAt(60)).toMatch(/^ ! That number is too short\. +⏎ timeline {2}.*\? help {2}q quit {2}$/);
    expect(textAt(50)).toMatch(/^ ! That number is too short\. +\? help {2}q quit {2}$/);
    expect(textAt(40).trimEnd()).toBe(' ! That number is too short.');
    expect(textAt(20)).toBe(' ! That number is t…');
    for (let width = 1; width < 130; width += 1) expect(cellWidth(textAt(width))).toBe(width);
  });
});
