import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keymapMarkdown } from '../../.config/readme-keys.ts';

test("the README's key table matches the keymap", () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const table = /<!-- keys:[^\n]*-->\n(.*?)\n<!-- \/keys -->/s.exec(readme)?.[1];
  expect(table?.trim()).toBe(keymapMarkdown());
});
