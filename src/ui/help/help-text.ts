import { cellWidth, fitText, wrap } from '../../board/text/cells.ts';
import type { GlyphSet, Line } from '../../board/text/line.ts';
import type { Binding } from '../keys/binding.ts';
import type { KeyContext } from '../keys/context.ts';
import { keyCap } from '../keys/key-caps.ts';
import { keymap } from '../keys/keymap.ts';

/** The keys of a binding as people write them. */
const keyCaps = (binding: Binding, glyphs: GlyphSet): string =>
  binding.keys.map((key) => keyCap(key, glyphs)).join('  ');

const inputBarHelp =
  'Input bar: NUMBER, or NUMBER @courier "label". A number may be in groups, as it is printed; a paste holds one a line, with columns number, courier, label.';

/** The help as lines of at most `width` cells, the focused pane's keys first. */
export function helpLines(width: number, first: KeyContext, glyphs: GlyphSet = 'symbols'): readonly Line[] {
  const bindings = keymap.flatMap((group) => group.bindings);
  const keyWidth = Math.min(20, Math.max(...bindings.map((binding) => cellWidth(keyCaps(binding, glyphs)))));
  const textWidth = Math.max(10, width - keyWidth - 3);
  const groups = keymap.toSorted((a, b) => Number(b.context === first) - Number(a.context === first));
  const lines: Line[] = wrap(inputBarHelp, Math.max(10, width - 2)).map((text) => [
    { text: ` ${text}`, tone: 'quiet' },
  ]);
  for (const group of groups) {
    lines.push([], [{ text: ` ${group.title}`, bold: true }]);
    for (const binding of group.bindings) {
      const [start = '', ...more] = wrap(binding.description, textWidth);
      lines.push([{ text: ` ${fitText(keyCaps(binding, glyphs), keyWidth)} `, tone: 'accent' }, { text: start }]);
      lines.push(...more.map((text): Line => [{ text: ' '.repeat(keyWidth + 2) }, { text }]));
    }
  }
  return lines;
}

/** The key table as Markdown, for the README. */
export function keymapMarkdown(): string {
  const rows = keymap.flatMap(({ bindings, title }) =>
    bindings.map((binding, row) => {
      const keys = binding.keys.map((key) => `\`${keyCap(key)}\``).join(' ');
      return `| ${row === 0 ? title : ''} | ${keys} | ${binding.description} |`;
    }),
  );
  return ['| where | key | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}
