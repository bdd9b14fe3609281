import { describe, expect, it } from 'vitest';
import { ScreenAhead } from '../../src/process/screen-ahead.ts';
import type { ShownScreen } from '../../src/process/show-kept-screen.ts';

/** A screen that stands until it is handed on or given back. */
function standing(first: readonly string[]): ShownScreen {
  let rows: readonly string[] | null = first;
  const leave = (): readonly string[] | null => {
    const left = rows;
    rows = null;
    return left;
  };
  return {
    get isStanding() {
      return rows !== null;
    },
    draw: (others) => {
      rows = others;
    },
    read: () => undefined,
    takeOver: leave,
    giveBack: () => void leave(),
  };
}

const size = { columns: 80, rows: 1 };

const refuse = (): never => {
  throw new Error('This terminal takes nothing.');
};

describe('ScreenAhead', () => {
  it('draws in the place of what the launcher has shown', () => {
    const ahead = new ScreenAhead(standing(['kept']), refuse);
    ahead.draw(['live'], size);
    expect(ahead.takeOver()).toEqual(['live']);
    expect(ahead.isStanding).toBe(false);
  });

  it('tells the size of the window that it drew for, and of none that the launcher did', () => {
    const ahead = new ScreenAhead(standing(['kept']), refuse);
    expect(ahead.drawnIn).toBeNull();
    ahead.draw(['live'], size);
    expect(ahead.drawnIn).toEqual(size);
  });

  it('begins where nothing stands, also where the terminal was given back meanwhile', () => {
    for (const launched of [null, standing(['kept'])]) {
      const ahead = new ScreenAhead(launched, standing);
      ahead.giveBack();
      expect(ahead.isStanding).toBe(false);
      ahead.draw(['live'], size);
      expect(ahead.isStanding).toBe(true);
      expect(ahead.takeOver()).toEqual(['live']);
    }
  });

  it('goes without a terminal that takes nothing', () => {
    const ahead = new ScreenAhead(null, refuse);
    ahead.draw(['live'], size);
    expect(ahead.isStanding).toBe(false);
    expect(ahead.takeOver()).toBeNull();
  });
});
