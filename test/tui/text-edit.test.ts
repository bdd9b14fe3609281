import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineKeys } from '../../src/tui/field/keys.ts';
import {
  createEdit,
  emptyEdit,
  graphemeAfter,
  graphemeBefore,
  type LineCommand,
  type LineEditor,
  type LineState,
  runLineCommand,
} from '../../src/tui/text-edit.ts';
import { anyCharacter } from '../support/any-character.ts';
import { forAll } from '../support/for-all.ts';

const editorAt = (marked: string): LineEditor => ({
  edit: { text: marked.replace('|', ''), cursor: marked.indexOf('|') },
  lastCut: '',
});
const withCursor = ({ edit: { text, cursor } }: LineEditor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

/** Presses keys. A single character types itself. */
const press = (editor: LineEditor, ...keys: readonly string[]): LineEditor =>
  keys.reduce((before, key) => {
    const command: LineCommand | undefined =
      key.length === 1 ? { kind: 'insert', text: key } : lineKeys.find(({ keys }) => keys.includes(key))?.command;
    if (command === undefined) throw new Error(`${key} does not edit`);
    return runLineCommand(before, command);
  }, editor);

test('finds a grapheme at the same place as a scan of the whole line', () => {
  const pieces = fc.oneof(
    fc.constantFrom('a', ' ', 'é', 'e\u0301', '小', '👨‍👩‍👧', '🇩🇪🇫', '가', '\u1100', '\r\n', '\u0301', '\u200d'),
    anyCharacter,
  );
  const whole = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const lines = fc
    .tuple(
      fc.array(pieces, { maxLength: 30 }),
      fc.constantFrom('', 'x'.repeat(200), '🇩🇪'.repeat(80), '\u0301'.repeat(300)),
    )
    .chain(([parts, long]) => fc.tuple(fc.constant(parts.join('') + long + parts.join('')), fc.nat(1000)));
  forAll(lines, ([text, position]) => {
    const at = Math.min(position, text.length);
    const next = whole.segment(text).containing(at);
    expect(graphemeBefore(text, at)).toBe(whole.segment(text).containing(at - 1)?.index ?? 0);
    expect(graphemeAfter(text, at)).toBe(next === undefined ? text.length : next.index + next.segment.length);
  });
});

describe('editing a line', () => {
  test.each([
    ['ab|c', 'left', 'a|bc'],
    ['ab|c', 'right', 'abc|'],
    ['ab|c', 'home', '|abc'],
    ['ab|c', 'ctrl+e', 'abc|'],
    ['ab|c', 'backspace', 'a|c'],
    ['|abc', 'backspace', '|abc'],
    ['abc|', 'delete', 'abc|'],
    ['ab|c', 'delete', 'ab|'],
    ['one two| three', 'ctrl+w', 'one | three'],
    ['RB1 @china-post|', 'ctrl+w', 'RB1 |'],
    ['RB1 @china-post|', 'alt+backspace', 'RB1 @china-|'],
    ['RB1 @|china-post', 'alt+d', 'RB1 @|-post'],
    ['one two| three', 'alt+b', 'one |two three'],
    ['one two, |three', 'ctrl+left', 'one |two, three'],
    ['one| two three', 'alt+f', 'one two| three'],
    ['one| , two', 'ctrl+right', 'one , two|'],
    ['one|  ', 'ctrl+right', 'one  |'],
    ['我买了|耳机', 'ctrl+right', '我买了耳机|'],
    ['one| two', 'ctrl+u', '| two'],
    ['one| two', 'ctrl+k', 'one|'],
    ['a👩‍👩‍👧|b', 'backspace', 'a|b'],
    ['a|👩‍👩‍👧b', 'delete', 'a|b'],
    ['กำ|', 'left', '|กำ'],
    ['12|34', 'ctrl+t', '132|4'],
    ['1234|', 'ctrl+t', '1243|'],
    ['|1234', 'ctrl+t', '|1234'],
    ['1|', 'ctrl+t', '1|'],
    ['a👩‍👩‍👧|', 'ctrl+t', '👩‍👩‍👧a|'],
  ])('%s with %s becomes %s', (before, key, after) => expect(withCursor(press(editorAt(before), key))).toBe(after));

  const command: fc.Arbitrary<LineCommand> = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), text: fc.string({ unit: 'grapheme' }) }),
    fc.record({ kind: fc.constant('insert' as const), text: fc.string({ unit: anyCharacter, maxLength: 3 }) }),
    fc.constantFrom(...lineKeys.map((key) => key.command)),
  );

  const isBetweenGraphemes = ({ text, cursor }: LineState): boolean =>
    cursor === text.length ||
    [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].some(({ index }) => index === cursor);

  test('after any edit, the cursor is between two characters and no character is split', () =>
    forAll(fc.array(command), (commands) => {
      const { edit } = commands.reduce(runLineCommand, { edit: emptyEdit, lastCut: '' });
      expect(edit.text.isWellFormed()).toBe(true);
      expect(isBetweenGraphemes(edit)).toBe(true);
    }));

  test('undoing all edits restores the original text, and redoing them restores the result', () =>
    forAll(fc.array(command, { maxLength: 40 }), (commands) => {
      const done = commands
        .filter(({ kind }) => kind !== 'undo' && kind !== 'redo')
        .reduce(runLineCommand, { edit: createEdit('RB1'), lastCut: '' });
      const undone = press(done, ...Array.from(commands, () => 'ctrl+_'));
      expect(undone.edit.text).toBe('RB1');
      expect(press(undone, ...Array.from(commands, () => 'ctrl+alt+_')).edit.text).toBe(done.edit.text);
    }));
});

describe('cut text', () => {
  test('is pasted again, but only the last cut', () => {
    const cut = press(editorAt('one two three| four'), 'ctrl+w', 'ctrl+k');
    expect(withCursor(cut)).toBe('one two |');
    expect(withCursor(press(cut, 'home', 'ctrl+y'))).toBe(' four|one two ');
  });

  test('does not include single characters that were deleted', () => {
    expect(press(editorAt('abc|'), 'backspace', 'left', 'delete').lastCut).toBe('');
  });
});

describe('undo', () => {
  test('undoes typing word by word', () => {
    const typed = press(editorAt('|'), ...'one two');
    expect(withCursor(press(typed, 'ctrl+_'))).toBe('one |');
    expect(withCursor(press(typed, 'ctrl+_', 'ctrl+_'))).toBe('|');
    expect(withCursor(press(typed, 'ctrl+_', 'ctrl+_', 'ctrl+alt+_'))).toBe('one |');
    expect(withCursor(press(typed, 'ctrl+_', 'x', 'ctrl+alt+_'))).toBe('one x|');
  });

  test('undoes a paste alone, and consecutive deletions together', () => {
    const pasted = runLineCommand(press(editorAt('|'), 'a'), { kind: 'insert', text: 'RB1' });
    expect(withCursor(press(pasted, 'c', 'ctrl+_', 'ctrl+_'))).toBe('a|');
    expect(withCursor(press(pasted, 'backspace', 'backspace', 'ctrl+_'))).toBe('aRB1|');
  });

  test('leaves the line as it is if there is nothing to undo', () => {
    expect(withCursor(press(editorAt('a|b'), 'ctrl+_', 'ctrl+alt+_', 'ctrl+y'))).toBe('a|b');
  });
});

test('no key has two edit commands', () => {
  const keys = lineKeys.flatMap((key) => key.keys);
  expect(keys).toEqual([...new Set(keys)]);
});
