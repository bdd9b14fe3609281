import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GroupHeadingInput, groupHeading } from '../../../src/board/list/list-rows.ts';
import { lineText, lineWidth } from '../../../src/lib/cells.ts';
import { inGlyphs } from '../../../src/lib/paint.ts';
import { forAll } from '../../support/for-all.ts';
import { anyText } from '../texts.ts';

const inTransit: GroupHeadingInput = {
  title: 'In transit',
  count: 6,
  isCollapsed: false,
  unread: 0,
  attention: 0,
  width: 24,
};
const text = (more: Partial<GroupHeadingInput>): string => lineText(groupHeading({ ...inTransit, ...more }));

describe('groupHeading', () => {
  it('has the title on the left and the number of parcels on the right', () => {
    expect(text({})).toBe(' In transit           6 ');
  });

  it('shows that a group is collapsed, and counts what it hides', () => {
    const collapsed = { isCollapsed: true, width: 40 };
    expect(text(collapsed)).toBe(' › In transit                         6 ');
    expect(text({ ...collapsed, unread: 2, attention: 1 })).toBe(' › In transit           ! 1 · 2 new · 6 ');
    expect(inGlyphs(text(collapsed), 'ascii')).toBe(' + In transit                         6 ');
  });

  it('shows the selection mark', () => {
    expect(text({ selected: true, isCollapsed: true })).toBe('▌› In transit         6 ');
  });

  it('is exactly as wide as requested', () =>
    forAll(
      fc.record({
        title: anyText,
        count: fc.nat(10_000),
        width: fc.nat(80),
        unread: fc.nat(100),
        attention: fc.nat(100),
        isCollapsed: fc.boolean(),
      }),
      (input) => {
        expect(lineWidth(groupHeading(input))).toBe(input.width);
      },
    ));
});
