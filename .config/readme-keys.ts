/** Writes the key table of the README from the keymap. */
import { readFileSync, writeFileSync } from 'node:fs';
import { keymapMarkdown } from './key-table.ts';

const readme = new URL('../README.md', import.meta.url);
const table = /(?<=<!-- keys:[^\n]*-->\n).*?(?=\n<!-- \/keys -->)/s;
writeFileSync(
  readme,
  readFileSync(readme, 'utf8').replace(table, () => `\n${keymapMarkdown()}\n`),
);
