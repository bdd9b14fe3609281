import { describe, expect, test } from 'vitest';
import { cellWidth, lineText, lineWidth } from '../../../src/lib/cells.ts';
import { keymap } from '../../../src/tui/app/keymap.ts';
import { type HelpInput, helpText, type ListedKey, searchHelp } from '../../../src/tui/help/help.ts';
import type { KeyContext } from '../../../src/tui/keys/binding.ts';
import { keyCap, keyCaps } from '../../../src/tui/keys/key-names.ts';

const listedKeys = (query = '', disabledReason: string | null = null): readonly ListedKey[] =>
  searchHelp(keymap, 'list', query).map((item) => ({ ...item, disabledReason }));

const input = (fields: Partial<HelpInput> = {}): HelpInput => ({
  listed: listedKeys(),
  index: -1,
  query: '',
  isAll: true,
  glyphs: 'symbols',
  width: 78,
  ...fields,
});

const rowsOf = (fields: Partial<HelpInput> = {}): readonly string[] =>
  helpText(input(fields)).lines.map((line) => lineText(line).trimEnd());

describe('the help', () => {
  test('names every key with its description, starting with the keys of the focused pane', () => {
    const text = rowsOf({ width: 100, glyphs: 'symbols' }).join(' ').replaceAll(/ +/g, ' ');
    const wide = rowsOf({ width: 40 * 3 }).join('\n');
    expect(text.indexOf('Parcel list')).toBeLessThan(text.indexOf('Add and find'));
    for (const { binding } of listedKeys()) {
      const [word = ''] = binding.description.split(' ');
      expect(text).toContain(word);
      for (const cap of keyCaps(binding.keys, 'symbols')) expect(wide).toContain(cap);
    }
    const narrow = rowsOf({ width: 78 })
      .map((row) => row.trim())
      .join(' ')
      .replaceAll(/ +/g, ' ');
    for (const { bindings } of keymap) for (const { description } of bindings) expect(narrow).toContain(description);
  });

  test.each([38, 58, 78, 98, 118, 158, 198])('fits %i cells without truncating anything', (width) => {
    for (const line of helpText(input({ width })).lines) {
      expect(lineWidth(line)).toBeLessThanOrEqual(width);
      expect(lineText(line)).not.toContain('…');
    }
  });

  test('marks the selected key and dims unavailable ones, with the reason in a search', () => {
    const rows = rowsOf({ listed: listedKeys('archive', 'No parcel is selected.'), query: 'zebra', index: 0 });
    expect(rows[0]).toMatch(/^▌ x +Archive, or restore/);
    expect(rows.slice(1, 4).join('\n')).toMatch(/^▌ +No parcel is selected\.$/m);
    const { lines, spans } = helpText(input({ listed: listedKeys('', 'No.'), index: 1 }));
    const line = lines[spans[1]?.from ?? 0] ?? [];
    expect(lineText(line)).toContain('▌');
    expect(line.slice(1).every(({ tone }) => tone === 'quiet')).toBe(true);
    expect(lines.map(lineText).join('\n')).not.toContain('No.');
  });

  test('finds filter terms by their name and meaning', () => {
    const rows = rowsOf({ listed: [], query: 'quiet' });
    expect(rows[0]).toBe(' Filter terms: type them after /');
    expect(rows[1]).toMatch(/^ {2}is:quiet {2}has not moved for longer than usual/);
    expect(rowsOf({ listed: [], query: 'slower' }).join('\n')).toContain('is:slow');
  });

  test('reports that nothing matches', () => {
    expect(rowsOf({ listed: [], query: 'zebra' })).toEqual([' Nothing found. Try fewer letters.']);
  });
});

describe('a search in the help', () => {
  const keysFound = (query: string): readonly string[] =>
    searchHelp(keymap, 'list', query).flatMap(({ binding }) => binding.keys.slice(0, 1));

  test('finds the start of a description before words within it, in any case', () => {
    expect(keysFound('ARCHIVE')[0]).toBe('x');
    expect(keysFound('archive').indexOf('u')).toBeGreaterThan(0);
  });

  test('finds a key by its name, case-sensitively', () => {
    expect(keysFound('x')[0]).toBe('x');
    expect(keysFound('R')[0]).toBe('R');
    expect(keysFound('r')[0]).toBe('r');
  });

  test('finds a group, and words in any order', () => {
    expect(keysFound('picker choose')).toContain('enter');
    expect(keysFound('page courier')).toContain('o');
    expect(keysFound('zzz')).toEqual([]);
  });

  test.each([
    ['sort', ['s', 'S']],
    ['browser', ['o']],
    ['mute', ['N']],
    ['restore', ['A', 'x']],
    ['unarchive', ['A', 'x']],
    ['fold', ['z', 'Z']],
    ['fullscreen', ['+', '-', 'enter']],
    ['zoom', ['+', '-', 'escape', 'enter']],
    ['clipboard', ['y', 'Y', 'ctrl+y']],
    ['sort reverse', ['S']],
  ])('finds %s by its name in other programs', (query, keys) => expect(keysFound(query)).toEqual(keys));

  test.each(['sign', 'signs', 'legend'])('finds symbols by their meaning: %s', (query) =>
    expect(keysFound(query)[0]).toBe('?'),
  );

  test.each([
    ['≋', 'could not reach the courier'],
    ['▲', 'Out for delivery'],
    ['late', 'The check is late'],
    ['signs', 'Ready for pick-up'],
  ])('finds the symbol %s', (query, meaning) => {
    expect(rowsOf({ listed: listedKeys(query), query }).join('\n')).toContain(meaning);
  });

  test('does not show these synonyms', () => {
    const rows = rowsOf({ listed: listedKeys('clipboard'), query: 'zebra', index: 0 });
    expect(rows.join(' ')).not.toContain('clipboard');
  });

  test('lists a key of several groups once', () => {
    expect(keysFound('mark all parcels as read')).toEqual(['M']);
    expect(searchHelp(keymap, 'list', 'mark all parcels')[0]?.context).toBe('global');
  });

  test('lists keys of the focused pane before the same keys elsewhere', () => {
    expect(searchHelp(keymap, 'timeline', 'down')[0]?.context).toBe('timeline');
    expect(searchHelp(keymap, 'list', 'down')[0]?.context).toBe('list');
  });

  test('shows all keys while the search is blank', () => {
    expect(searchHelp(keymap, 'list', '  ')).toHaveLength(keymap.flatMap(({ bindings }) => bindings).length);
  });
});

describe('the help without a search', () => {
  const keysHere = (context: KeyContext): readonly ListedKey[] =>
    searchHelp(keymap, context, '', false).map((item) => ({ ...item, disabledReason: null }));

  test('lists only the keys of the pane by task, with movement last', () => {
    const groups = [...new Set(keysHere('list').map(({ group }) => group))];
    expect(groups[0]).toBe('Parcel list');
    expect(groups.at(-1)).toBe('Move in the list');
    expect(groups).not.toContain('Timeline');
    expect(new Set(keysHere('news').map(({ context }) => context))).toEqual(new Set(['news']));
  });

  test.each([78, 98, 158])('has one line per key in %i cells, in two or more columns', (width) => {
    const block = helpText(input({ listed: keysHere('list'), isAll: false, width }));
    for (const { from, to } of block.spans) expect(to - from).toBe(1);
    expect(lineText(block.lines[0] ?? [])).toMatch(/Parcel list {3,}\S/);
    for (const line of block.lines) expect(lineText(line)).not.toContain('…');
  });
});

describe('the palette', () => {
  const commands = (query: string): readonly (string | undefined)[] =>
    searchHelp(keymap, 'list', query).map(({ binding }) => binding.command?.name);

  test('lists commands first, with their arguments', () => {
    const query = ':';
    expect(commands(query).slice(0, 11).toSorted()).toEqual([
      'columns',
      'courier',
      'export',
      'filter',
      'import',
      'label',
      'note',
      'order',
      'tag',
      'undo',
      'view',
    ]);
    expect(rowsOf({ listed: listedKeys(query), query }).join('\n')).toMatch(/:courier NAME +Change the courier/);
  });

  test('keeps a single command once its argument is typed, even if the command is abbreviated', () => {
    expect(commands(':courier dhl')).toEqual(['courier']);
    expect(commands(':o exp')).toEqual(['order']);
    expect(commands(':zzz x')).toEqual([]);
  });

  test('also finds keys without arguments', () => {
    expect(searchHelp(keymap, 'list', ':archive')[0]?.binding.keys).toContain('x');
  });
});

test('every key fits its column', () => {
  for (const { binding } of listedKeys())
    for (const key of binding.keys) expect(cellWidth(keyCap(key, 'ascii'))).toBeLessThan(20);
});
