import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellWidth } from '../../../src/board/text/cells.ts';
import { fieldWindow } from '../../../src/ui/field/field-window.ts';

test('a field shows the cursor at every width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 30 }), (text, width) => {
      const view = fieldWindow({ text, cursor: text.length }, width);
      expect(cellWidth(view.text)).toBeLessThanOrEqual(width);
      expect(view.cursorCell).toBeLessThan(width);
    }),
  );
});
