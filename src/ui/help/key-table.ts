import { keyCaps } from '../keys/key-caps.ts';
import { keymap } from '../keys/keymap.ts';

/** The key table as Markdown, for the README. */
export function keymapMarkdown(): string {
  const rows = keymap.flatMap(({ bindings, title }) =>
    bindings.map(({ description, keys }, row) => {
      const caps = keyCaps(keys, 'symbols').map((cap) => `\`${cap}\``);
      return `| ${row === 0 ? title : ''} | ${caps.join(' ')} | ${description} |`;
    }),
  );
  return ['| where | key | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}
