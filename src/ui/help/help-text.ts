import { cellWidth, fitText, wrap } from '../../board/text/cells.ts';
import type { GlyphSet, Line } from '../../board/text/line.ts';
import { type Binding, contextTitles, type KeyContext, keyCap, keymap } from '../keys/keymap.ts';

/** Bindings by context, in the order of the help. */
export function bindingsByContext(): readonly (readonly [KeyContext, readonly Binding[]])[] {
  return (Object.keys(contextTitles) as KeyContext[]).map((context) => [
    context,
    keymap.filter((binding) => binding.context === context),
  ]);
}

/** The keys of a binding as people write them. */
export const keyCaps = (binding: Binding, glyphs: GlyphSet): string =>
  binding.keys.map((key) => keyCap(key, glyphs)).join('  ');

const inputBarHelp =
  'Input bar: NUMBER, or NUMBER @courier "label". A number may be in groups, as it is printed; a paste holds one a line, with columns number, courier, label.';

/** The help as lines of at most `width` cells, the focused pane's keys first. */
export function helpLines(width: number, first: KeyContext, glyphs: GlyphSet = 'symbols'): readonly Line[] {
  const keyWidth = Math.min(20, Math.max(...keymap.map((binding) => cellWidth(keyCaps(binding, glyphs)))));
  const textWidth = Math.max(10, width - keyWidth - 3);
  const sections = [...bindingsByContext()].sort(([a], [b]) => Number(b === first) - Number(a === first));
  const lines: Line[] = wrap(inputBarHelp, Math.max(10, width - 2)).map((text) => [
    { text: ` ${text}`, tone: 'quiet' },
  ]);
  for (const [context, bindings] of sections) {
    lines.push([], [{ text: ` ${contextTitles[context]}`, bold: true }]);
    for (const binding of bindings) {
      const [start = '', ...more] = wrap(binding.description, textWidth);
      lines.push([{ text: ` ${fitText(keyCaps(binding, glyphs), keyWidth)} `, tone: 'accent' }, { text: start }]);
      lines.push(...more.map((text): Line => [{ text: ' '.repeat(keyWidth + 2) }, { text }]));
    }
  }
  return lines;
}

/** The key table as Markdown, for the README. */
export function keymapMarkdown(): string {
  const rows = bindingsByContext().flatMap(([context, bindings]) =>
    bindings.map((binding, row) => {
      const keys = binding.keys.map((key) => `\`${keyCap(key)}\``).join(' ');
      return `| ${row === 0 ? contextTitles[context] : ''} | ${keys} | ${binding.description} |`;
    }),
  );
  return ['| where | key | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}
