import { describe, expect, test } from 'vitest';
import { cellWidth, lineText, lineWidth } from '../../../src/board/text/cells.ts';
import { footerLine } from '../../../src/ui/footer/footer.ts';
import { helpLines } from '../../../src/ui/help/help-text.ts';
import { contextTitles, findBinding, type KeyContext, keyCap, keymap } from '../../../src/ui/keys/keymap.ts';

const contexts = Object.keys(contextTitles) as KeyContext[];

describe('the keymap', () => {
  test.each(contexts)('no key has two meanings in %s', (context) => {
    const keys = keymap.filter((binding) => binding.context === context).flatMap((binding) => binding.keys);
    expect(keys).toEqual([...new Set(keys)]);
  });

  test.each(contexts)('Ctrl+C quits from %s', (context) => {
    expect(findBinding(context, 'ctrl+c')?.action).toBe('quit');
  });

  test.each(contexts)('Escape goes back from %s and never quits', (context) => {
    expect(findBinding(context, 'escape')?.action).toBe('back');
  });

  test.each(['add', 'filter'] as const)('letters are text in %s', (context) => {
    for (const letter of ['q', 'j', 'x', 'a', '?', '/', 't', 'u']) expect(findBinding(context, letter)).toBeNull();
  });

  test('the help names every key with its description', () => {
    const help = helpLines(100, 'list').map(lineText).join('\n');
    for (const binding of keymap) {
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
      const text = lineText(footerLine(context, null, width));
      expect(cellWidth(text)).toBe(width);
    }
    if (context === 'list') expect(lineText(footerLine(context, null, 40))).toContain('? help  q quit');
  });

  test('a message stands before the keys, which give way to it', () => {
    const message = { tone: 'attention', text: 'That number is too short.' } as const;
    const textAt = (width: number): string => lineText(footerLine('list', message, width));
    expect(textAt(120)).toMatch(
      /^ ! That number is too short\. {3,}⏎ open {2}a add {2}\/ filter .*\? help {2}q quit {2}$/,
    );
    expect(textAt(60)).toMatch(/^ ! That number is too short\. +⏎ open {2}.*\? help {2}q quit {2}$/);
    expect(textAt(50)).toMatch(/^ ! That number is too short\. +\? help {2}q quit {2}$/);
    expect(textAt(40).trimEnd()).toBe(' ! That number is too short.');
    expect(textAt(20)).toBe(' ! That number is t…');
    for (let width = 1; width < 130; width += 1) expect(cellWidth(textAt(width))).toBe(width);
  });
});
