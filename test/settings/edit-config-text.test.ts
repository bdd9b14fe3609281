import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editConfigText, parseConfigText, type SettingChange } from '../../src/settings/config-text.ts';
import { forAllAsync } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';

const edited = (text: string, path: string, value?: unknown): Promise<string> =>
  editConfigText(text, [{ path: path.split('.') as [string, ...string[]], value }], 'config.json');

const commented = `// mine
{
  "a": 1, // one
  /* two */ "b": {"c": 2,},
  // end
}
`;

it.each([
  ['replaces only the old value', commented, 'a', 5, commented.replace('1,', '5,')],
  [
    'is added after the others, and the comments stay',
    commented,
    'z',
    [1, 'x'],
    '// mine\n{\n  "a": 1, // one\n  /* two */ "b": {\n    "c": 2,\n  },\n  "z": [\n    1,\n    "x"\n  ],\n  // end\n}\n',
  ],
  [
    'adds the missing comma before it',
    '{\n\t"a": 1 // last\n}\n',
    'b.c',
    2,
    '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t} // last\n}\n',
  ],
  ['starts a new file', '', 'a.b', 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
  [
    'is added to an object that contains only comments',
    '// x\n{\n  // "a": 1\n}',
    'a',
    2,
    '// x\n{\n  "a": 2\n  // "a": 1\n}',
  ],
  ['replaces a value that is not an object', '{"a": 1}', 'a.b', 3, '{"a": {\n    "b": 3\n  }}'],
  [
    'keeps line ends and the byte order mark',
    '\ufeff{\r\n  "a": 1\r\n}\r\n',
    'b',
    2,
    '\ufeff{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n',
  ],
])('a setting that is set %s', async (_title, before, path, value, after) => {
  expect(await edited(before, path, value)).toBe(after);
});

it.each([
  ['keeps every comment', commented, 'a', '// mine\n{\n  // one\n  /* two */ "b": {"c": 2,},\n  // end\n}\n'],
  ['removes the comma after it', '{ "a": "x", "b": 5 }', 'a', '{ "b": 5 }'],
  ['removes the comma before the last setting', '{ "a": "x", "b": 5 }', 'b', '{ "a": "x" }'],
  ['removes its whole line', '{\n  "a": 1, // one\n  "b": {\n    "c": 2\n  }\n}\n', 'b', '{\n  "a": 1 // one\n}\n'],
  [
    'removes its object too if that becomes empty',
    '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}\n',
    'b.c',
    '{\n  "a": 1\n}\n',
  ],
  ['keeps an object that contains a comment', '{"b": {"c": 2 /* why */}}', 'b.c', '{"b": {/* why */}}'],
  ['changes nothing if the setting does not exist', commented, 'b.x.y', commented],
])('a setting that is removed %s', async (_title, before, path, after) => {
  expect(await edited(before, path)).toBe(after);
});

describe('any change to any configuration text', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'a/*', '//', 'é "q"');
  const gap = fc.constantFrom('', ' ', '\n', '\n  ', '\t', ' // note\n', '/* note */', '\n// note , }\n  ');
  /** A comment between name and value would be part of the setting. */
  const blank = fc.constantFrom('', ' ', '\n  ');
  const leaf = fc.oneof(fc.constantFrom(1, null, true, 'x', ', } //', '/* "a": 1 */'), fc.constant([1, 'b']));
  const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf.map((value) => JSON.stringify(value)),
      tie('object'),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(fc.tuple(name, gap, blank, tie('value'), gap, gap), { selector: ([key]) => key, maxLength: 4 }),
        gap,
        fc.boolean(),
      )
      .map(([parts, inner, trailing]) => {
        const properties = parts.map(
          ([key, a, b, value, c, d]) => `${a}${JSON.stringify(key)}${b}:${b}${value}${c}${d}`,
        );
        return `{${properties.join(',')}${trailing && parts.length > 0 ? `,${inner}` : inner}}`;
      }),
  }));
  const change = fc.record({
    path: fc.array(name, { minLength: 1, maxLength: 3 }).map((path) => path as [string, ...string[]]),
    value: fc.oneof(fc.constant(undefined), leaf, fc.constant({ a: { b: 1 } })),
  });

  it('sets the value, and keeps every other setting and comment', () =>
    forAllAsync(rounds(300), gap, object, change, async (before, text, { path, value }) => {
      const after = await editConfigText(before + text, [{ path, value }], 'config.json');
      const expected = changed((await parseConfigText(before + text, 'config.json')) as Tree, path, value);
      expect(plain(withoutEmpty(await parseConfigText(after, 'config.json')))).toEqual(plain(withoutEmpty(expected)));
      if (!isTree(valueAt(await parseConfigText(before + text, 'config.json'), path)))
        expect(notes(after)).toBe(notes(before + text));
    }));

  type Tree = { [name: string]: unknown };
  const isTree = (value: unknown): value is Tree =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  function changed(tree: Tree, [first, ...rest]: readonly [string, ...string[]], value: unknown): Tree {
    const [next, ...deeper] = rest;
    const { [first]: present, ...others } = tree;
    if (next === undefined) return value === undefined ? others : { ...others, [first]: value };
    if (!isTree(present))
      return value === undefined ? tree : { ...others, [first]: changed({}, [next, ...deeper], value) };
    return { ...others, [first]: changed(present, [next, ...deeper], value) };
  }
  /** Removing the last setting of an object may remove the object. */
  function withoutEmpty(value: unknown): unknown {
    if (!isTree(value)) return value;
    const parts = Object.entries(value).map(([key, part]) => [key, withoutEmpty(part)] as const);
    return Object.fromEntries(parts.filter(([, part]) => !isTree(part) || Object.keys(part).length > 0));
  }
  const notes = (text: string): number => text.split('note').length;
  /** Replacing an object removes its comments. */
  const valueAt = (tree: unknown, path: SettingChange['path']): unknown =>
    path.reduce<unknown>((part, key) => (isTree(part) && Object.hasOwn(part, key) ? part[key] : undefined), tree);
});
