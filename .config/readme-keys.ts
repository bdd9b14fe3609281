/** Writes the key table of the README from the keymap. */
import { readFileSync, writeFileSync } from 'node:fs';
import { keymap } from '../src/tui/app/keymap.ts';
import { keyCaps } from '../src/tui/keys/key-names.ts';

/** The places with the most used keys. The manual and the board list all keys. */
const shownPlaces: ReadonlySet<string> = new Set(['Everywhere', 'Parcel list', 'Timeline', 'Input bar']);

/** Returns the key table as Markdown, one row per place to keep it short. */
export function keymapMarkdown(): string {
  const rows = keymap
    .filter(({ title }) => shownPlaces.has(title))
    .map(({ bindings, title }) => {
      const keys = bindings.map(({ command, description, keys }) => {
        const words = keys.length > 0 ? keyCaps(keys, 'symbols') : [`:${command?.name}`];
        const caps = words.map((cap) => `\`${cap}\``);
        return `${caps.join(' ')} ${description}`;
      });
      return `| ${title} | ${keys.join('<br>')} |`;
    });
  return ['| where | keys |', '| --- | --- |', ...rows].join('\n');
}

if (import.meta.main) {
  const readme = new URL('../README.md', import.meta.url);
  const text = readFileSync(readme, 'utf8');
  const table = /(?<=<!-- keys:[^\n]*-->\n).*?(?=<!-- \/keys -->)/s;
  if (!table.test(text)) throw new Error('README.md has no markers "<!-- keys: … -->" and "<!-- /keys -->".');
  writeFileSync(
    readme,
    text.replace(table, () => `\n${keymapMarkdown()}\n\n`),
  );
}
