import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TimelineInput, timelineLines } from '../../src/board/timeline.ts';
import { cellWidth, lineText, lineWidth } from '../../src/lib/cells.ts';
import { inGlyphs } from '../../src/lib/paint.ts';
import type { Checkpoint } from '../../src/service/record.ts';
import { forAllIn } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';
import { aCheckpoint, berlin, now } from './parcels.ts';
import { anyText } from './texts.ts';

const journey: readonly Checkpoint[] = [
  aCheckpoint({ detail: 'Held by customs, documents asked for', subStatus: 'ABNORMAL_02' }),
  aCheckpoint({ at: '2026-11-20T17:02:00Z', local: '2026-11-20 18:02:00' }),
  aCheckpoint({
    at: '2026-11-18T12:41:00Z',
    local: '2026-11-18 20:41:00',
    offset: '+08:00',
    detail: '航班已起飞，离开中国',
    subStatus: 'IN_TRANSIT_08',
    address: '深圳, CN',
  }),
  aCheckpoint({
    at: null,
    certain: false,
    offset: null,
    local: '2026-11-18 11:05:00',
    detail: 'Handed to the airline',
    address: null,
    subStatus: 'IN_TRANSIT_05',
  }),
  aCheckpoint({
    at: '2025-12-30T12:41:00Z',
    certain: false,
    local: '2025-12-30 20:41:00',
    detail: null,
    subStatus: 'INFO_RECEIVED_01',
    address: '深圳市宝安区福永街道国际物流中心',
  }),
];

it('makes the places as wide as the longest one, and gives the rest to the descriptions', () => {
  const detail = 'The parcel has left the sorting centre at night';
  const here = aCheckpoint({ address: 'Köln', detail });
  expect(textLines({ checkpoints: [here], width: 72 })[1]).toMatch(new RegExp(`  ${detail} +Köln$`));
  const farOff = aCheckpoint({ address: 'Frankfurt am Main Flughafen, DE' });
  expect(textLines({ checkpoints: [here, farOff], width: 72 })[1]).not.toContain(detail);
});

it("shows the courier's wording below the translation of an event", () => {
  const checkpoint = aCheckpoint({ detail: '航班已起飞', translation: 'The flight has departed', address: null });
  const lines = textLines({ checkpoints: [checkpoint], width: 64 });
  expect(lines.slice(1, 3)).toEqual([
    '● 21:14  The flight has departed',
    `${' '.repeat(9)}航班已起飞 · Arrived at a sorting centre`,
  ]);
});

function textLines(input: Partial<TimelineInput> = {}): string[] {
  const lines = timelineLines({
    checkpoints: journey,
    mode: 'event',
    viewerZone: berlin,
    width: 72,
    now,
    ...input,
  });
  return lines.map((line) => lineText(line).trimEnd());
}

describe('timelineLines', () => {
  it('draws a journey, newest first, with days, gaps and marked times', () => {
    expect(textLines()).toMatchInlineSnapshot(`
      [
        "Fri 20 Nov · +01:00",
        "✖ 21:14  Held by customs, documents asked for                Leipzig, DE",
        "● 18:02  Arrived at the sorting centre                       Leipzig, DE",
        "┆ 2 d 4 h",
        "Wed 18 Nov · +08:00",
        "✈ 20:41  On board, departed                                     深圳, CN",
        "│        航班已起飞，离开中国",
        "✈ 11:05~ Handed to the airline · (zone unknown)",
        "Tue 30 Dec 2025",
        "○ 20:41± Announced, the courier prepares pick-up    深圳市宝安区福永街道",
        "         (zone uncertain)                                   国际物流中心",
      ]
    `);
  });

  it('puts the place under the text in a narrow pane', () => {
    expect(textLines({ width: 38 })).toMatchInlineSnapshot(`
      [
        "Fri 20 Nov · +01:00",
        "✖ 21:14  Held by customs, documents",
        "│        asked for · Leipzig, DE",
        "● 18:02  Arrived at the sorting centre",
        "│        Leipzig, DE",
        "┆ 2 d 4 h",
        "Wed 18 Nov · +08:00",
        "✈ 20:41  On board, departed",
        "│        航班已起飞，离开中国",
        "│        深圳, CN",
        "✈ 11:05~ Handed to the airline",
        "│        (zone unknown)",
        "Tue 30 Dec 2025",
        "○ 20:41± Announced, the courier",
        "         prepares pick-up",
        "         (zone uncertain)",
        "         深圳市宝安区福永街道国际物流",
        "         中心",
      ]
    `);
  });

  it("groups by the viewer's days in mode local", () => {
    const checkpoints = [
      aCheckpoint({ at: '2026-11-20T23:30:00Z', local: '2026-11-20 18:30:00', offset: '-05:00' }),
      aCheckpoint({ at: '2026-11-20T22:30:00Z', local: '2026-11-20 17:30:00', offset: '-05:00' }),
    ];
    const days = (mode: TimelineInput['mode']): string[] =>
      textLines({ checkpoints, mode }).filter((text) => /^[A-Z]/.test(text));
    expect(days('event')).toEqual(['Fri 20 Nov · -05:00']);
    expect(days('local')).toEqual(['Sat 21 Nov · +01:00', 'Fri 20 Nov']);
    expect(days('utc')).toEqual(['Fri 20 Nov · UTC']);
  });

  it('shows gaps of 18 hours or more in elapsed time, not in local time', () => {
    const pair = (older: string): string[] =>
      textLines({ checkpoints: [aCheckpoint(), aCheckpoint({ at: older, local: '2026-11-19 03:00:00' })] });
    expect(pair('2026-11-20T02:14:00Z')).toContain('┆ 18 h');
    expect(pair('2026-11-20T02:15:00Z').join()).not.toMatch(/\d [dh]\b/);
  });

  it('shows no gap next to an uncertain time', () => {
    const older = aCheckpoint({ at: '2026-11-01T00:00:00Z', certain: false });
    expect(textLines({ checkpoints: [aCheckpoint(), older] }).join()).not.toMatch(/\d d/);
  });

  it('shows the next step below the newest event, with a link to the page', () => {
    const step = { text: 'send the invoice', page: 'https://www.ups.example/track?n=1' };
    const lines = timelineLines({ checkpoints: journey, mode: 'event', viewerZone: berlin, width: 72, now, step });
    expect(lineText(lines[2] ?? []).trimEnd()).toBe('│        → send the invoice: ups.example/…');
    expect(lines[2]?.find(({ link }) => link !== undefined)?.link).toBe(step.page);
    expect(textLines({ checkpoints: journey.slice(0, 1), width: 30, step }).slice(-2)).toEqual([
      '         → send the invoice:',
      '         ups.example/…',
    ]);
  });

  it('uses one line per event in a pane with few rows, with the day if it changes', () => {
    expect(textLines({ isCompact: true })).toMatchInlineSnapshot(`
      [
        "✖ Fri 20   21:14  Held by customs, documents asked …         Leipzig, DE",
        "●          18:02  Arrived at the sorting centre              Leipzig, DE",
        "✈ Wed 18   20:41  On board, departed                            深圳, CN",
        "✈          11:05~ Handed to the airline",
        "○ Dec 2025 20:41± Announced, the courier prepares p…   深圳市宝安区福永…",
      ]
    `);
    expect(textLines({ isCompact: true, width: 36 })).toMatchInlineSnapshot(`
      [
        "✖ Fri 20   21:14  Held by customs, …",
        "●          18:02  Arrived at the so…",
        "✈ Wed 18   20:41  On board, departed",
        "✈          11:05~ Handed to the air…",
        "○ Dec 2025 20:41± Announced, the co…",
      ]
    `);
  });

  it('starts a new group if the zone changes', () => {
    const there = aCheckpoint({ at: '2026-11-20T10:00:00Z', local: '2026-11-20 18:00:00', offset: '+08:00' });
    expect(textLines({ checkpoints: [aCheckpoint(), there, there] }).filter((text) => text.includes('Nov'))).toEqual([
      'Fri 20 Nov · +01:00',
      'Fri 20 Nov · +08:00',
    ]);
  });

  it('shows the year of a day in a different year', () => expect(textLines()).toContain('Tue 30 Dec 2025'));

  it('says that an event has no description or no day', () => {
    const empty = aCheckpoint({
      at: null,
      local: null,
      offset: null,
      certain: false,
      address: null,
      detail: null,
      subStatus: null,
    });
    expect(textLines({ checkpoints: [empty] })).toEqual(['Day unknown', '●        No description · (time unknown)']);
  });

  it('is empty without events or width', () => {
    expect(textLines({ checkpoints: [] })).toEqual([]);
    expect(textLines({ width: 0 })).toEqual([]);
  });

  it('shows how often an event was reported', () => {
    const checkpoints = [aCheckpoint({ repeats: 2 })];
    expect(textLines({ checkpoints }).join('\n')).toContain('×2');
    expect(inGlyphs(textLines({ checkpoints }).join('\n'), 'ascii')).toContain('x2');
  });

  it('makes every line exactly as wide as requested', () => {
    const anyCheckpoint = fc
      .record({
        detail: fc.option(anyText),
        address: fc.option(anyText),
        at: fc.option(
          fc.date({ min: new Date(0), max: new Date(now), noInvalidDate: true }).map((date) => date.toISOString()),
        ),
        local: fc.option(fc.oneof(fc.constant('2026-11-18 11:05:00'), anyText)),
        certain: fc.boolean(),
        subStatus: fc.option(fc.constantFrom('IN_TRANSIT_02', 'ABNORMAL_02', 'NEW_01')),
      })
      .map((fields) => aCheckpoint(fields));
    forAllIn(
      rounds(300),
      fc.array(anyCheckpoint, { maxLength: 5 }),
      fc.integer({ min: 0, max: 130 }),
      fc.constantFrom('event' as const, 'local' as const, 'utc' as const),
      (checkpoints, width, mode) => {
        for (const line of timelineLines({ checkpoints, mode, viewerZone: berlin, width, now })) {
          expect(lineWidth(line)).toBe(width);
          expect(cellWidth(lineText(line))).toBe(width);
        }
      },
    );
  });
});
