import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createCourierSearch } from '../../src/board/courier/courier-search.ts';
import { cellWidth } from '../../src/board/text/cells.ts';
import type { Look } from '../../src/board/text/paint.ts';
import { InputBar } from '../../src/ui/add/bar.tsx';
import { DetailsTable, detailLines, fitsTable } from '../../src/ui/details/view.tsx';
import { LinesPane } from '../../src/ui/pane/pane.tsx';
import type { LoadedCouriers } from '../../src/ui/picker/use-couriers.ts';
import { CourierPicker } from '../../src/ui/picker/view.tsx';
import { someCouriers } from './board-harness.ts';

const look: Look = { colour: false, glyphs: 'symbols', hyperlinks: false };
const ascii: Look = { ...look, glyphs: 'ascii' };

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const plain = (frame: string | undefined): readonly string[] =>
  (frame ?? '').replace(/\u001b\[[0-9;]*m/g, '').split('\n');

describe('a framed pane', () => {
  test('has its title, its status and exactly its size', () => {
    const size = { width: 40, height: 5 };
    const lines = [[{ text: 'one' }], [{ text: '深圳的包裹'.repeat(9) }]];
    const texts = { title: 'Parcels', titleRight: 'times: UTC', status: '2' };
    const pane = <LinesPane lines={lines} texts={texts} size={size} isFocused look={look} />;
    const frame = plain(render(pane).lastFrame());
    expect(frame).toHaveLength(5);
    for (const line of frame) expect(cellWidth(line)).toBe(40);
    expect(frame[0]).toBe('╭ Parcels ──────────────── times: UTC ─╮');
    expect(frame[4]).toContain(' 2 ─╯');
  });

  test('drops the texts of its edge that do not fit', () => {
    const texts = { title: 'A very long title of a parcel', titleRight: 'times: local to event' };
    const size = { width: 20, height: 3 };
    const pane = <LinesPane lines={[]} texts={texts} size={size} isFocused={false} look={ascii} />;
    const frame = plain(render(pane).lastFrame());
    for (const line of frame) expect(cellWidth(line)).toBe(20);
    expect(frame[0]).toMatch(/^\+ A very long ti/);
  });
});

describe('the courier picker', () => {
  const ready: LoadedCouriers = {
    status: 'ready',
    couriers: someCouriers,
    problem: null,
    search: createCourierSearch(someCouriers),
    check: () => null,
  };
  const size = { width: 50, height: 8 };

  const picker = { parcelId: null, query: { text: '', cursor: 0 }, index: 1 };

  test('lists codes with both names and marks the chosen one', () => {
    const { lastFrame } = render(
      <CourierPicker picker={picker} isFocused couriers={ready} matches={someCouriers} size={size} look={look} />,
    );
    const frame = plain(lastFrame());
    expect(frame).toHaveLength(8);
    for (const line of frame) expect(cellWidth(line)).toBe(50);
    expect(frame[1]).toContain('search code or name');
    expect(frame.find((line) => line.includes('▌'))).toContain('yanwen');
    expect(frame.at(-1)).toContain('2 of 3');
  });

  test('says why there are no couriers', () => {
    const failed: LoadedCouriers = {
      ...ready,
      status: 'failed',
      couriers: [],
      problem: 'The service cannot be reached.',
    };
    const { lastFrame } = render(
      <CourierPicker picker={picker} isFocused couriers={failed} matches={[]} size={size} look={look} />,
    );
    expect(lastFrame()).toContain('The service cannot be reached.');
  });
});

describe('the input line', () => {
  test('shows the placeholder, and the end of a text that is too long', () => {
    const line = (text: string) => (
      <InputBar
        text={{ name: 'add', edit: { text, cursor: text.length }, placeholder: 'number', isFocused: true }}
        width={24}
        look={look}
      />
    );
    const { lastFrame, rerender } = render(line(''));
    expect(plain(lastFrame())[0]?.trimEnd()).toBe(' add ▸ number');
    rerender(line('1Z999AA10123456784 @yanwen'));
    const shown = plain(lastFrame())[0] ?? '';
    expect(shown).toContain('@yanwen');
    expect(cellWidth(shown)).toBeLessThanOrEqual(24);
  });
});

describe('details', () => {
  const details = [
    { name: 'Service', value: 'https://api.example/gateway' },
    { name: 'Service clock', value: 'UTC+08:00' },
  ];

  test('are a table where it fits and lines where it does not', () => {
    expect(fitsTable(details, { width: 80, height: 20 }, look)).toBe(true);
    const roomy = render(<DetailsTable details={details} size={{ width: 80, height: 20 }} />);
    expect(roomy.lastFrame()).toContain('├');
    expect(fitsTable(details, { width: 80, height: 6 }, look)).toBe(false);
    expect(fitsTable(details, { width: 40, height: 20 }, look)).toBe(false);
    const lines = detailLines(details, 24).map((line) => line.map(({ text }) => text).join(''));
    expect(lines).toEqual([' Service', '   https://api.example/', '   gateway', ' Service clock', '   UTC+08:00']);
  });
});
