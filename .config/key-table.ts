import { keymap } from '../src/tui/app/keymap.ts';
import { keyCaps } from '../src/tui/keys/key-names.ts';

/** Where one mostly is; the keys of all other places are in the manual, and each place shows its own. */
const shownPlaces: ReadonlySet<string> = new Set(['Everywhere', 'Parcel list', 'Timeline', 'Input bar']);

/** The key table as Markdown, for the README. */
export function keymapMarkdown(): string {
  const shown = keymap.filter(({ title }) => shownPlaces.has(title));
  const rows = shown.flatMap(({ bindings, title }) =>
    bindings.map(({ description, keys }, row) => {
      const caps = keyCaps(keys, 'symbols').map((cap) => `\`${cap}\``);
      return `| ${row === 0 ? title : ''} | ${caps.join(' ')} | ${description} |`;
    }),
  );
  return ['| where | key | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}
