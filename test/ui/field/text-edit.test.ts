import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellWidth } from '../../../src/board/text/cells.ts';
import { fieldWindow } from '../../../src/ui/field/field-window.ts';
import {
  applyEdit,
  type EditCommand,
  editCommandOf,
  emptyEdit,
  type TextEdit,
} from '../../../src/ui/field/text-edit.ts';

const at = (marked: string): TextEdit => ({ text: marked.replace('|', ''), cursor: marked.indexOf('|') });
const marked = ({ text, cursor }: TextEdit): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const press = (edit: TextEdit, key: string): TextEdit => {
  const command = editCommandOf(key);
  if (command === null) throw new Error(`${key} does not edit`);
  return applyEdit(edit, command);
};

describe('editing a line', () => {
  test.each([
    ['ab|c', 'left', 'a|bc'],
    ['ab|c', 'right', 'abc|'],
    ['ab|c', 'home', '|abc'],
    ['ab|c', 'ctrl+e', 'abc|'],
    ['ab|c', 'backspace', 'a|c'],
    ['|abc', 'backspace', '|abc'],
    ['ab|c', 'delete', 'ab|'],
    ['one two| three', 'ctrl+w', 'one | three'],
    ['one two| three', 'alt+b', 'one |two three'],
    ['one| two three', 'alt+f', 'one two| three'],
    ['one| two', 'ctrl+u', '| two'],
    ['one| two', 'ctrl+k', 'one|'],
    ['a👩‍👩‍👧|b', 'backspace', 'a|b'],
    ['a|👩‍👩‍👧b', 'delete', 'a|b'],
    ['กำ|', 'left', '|กำ'],
  ])('%s with %s becomes %s', (before, key, after) => {
    expect(marked(press(at(before), key))).toBe(after);
  });

  const commands = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), text: fc.string({ unit: 'grapheme' }) }),
    fc.record({
      kind: fc.constant('move' as const),
      to: fc.constantFrom('left', 'right', 'word-left', 'word-right', 'start', 'end' as const),
    }),
    fc.record({
      kind: fc.constant('delete' as const),
      what: fc.constantFrom('before', 'after', 'word-before', 'to-start', 'to-end' as const),
    }),
  );

  test('whatever is done, the cursor stays within the text and no character is torn', () => {
    fc.assert(
      fc.property(fc.array(commands), (list) => {
        const edit = (list as EditCommand[]).reduce(applyEdit, emptyEdit);
        expect(edit.cursor).toBeGreaterThanOrEqual(0);
        expect(edit.cursor).toBeLessThanOrEqual(edit.text.length);
        expect(edit.text.isWellFormed()).toBe(true);
      }),
    );
  });

  test('a field shows the cursor at every width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 30 }), (text, width) => {
        const view = fieldWindow({ text, cursor: text.length }, width);
        expect(cellWidth(view.text)).toBeLessThanOrEqual(width);
        expect(view.cursorCell).toBeLessThan(width);
      }),
    );
  });
});
