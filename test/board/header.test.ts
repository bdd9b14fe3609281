import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asOfDay, asOfTime, headerRow } from '../../src/board/header.ts';
import { problemLines } from '../../src/board/header-problem.ts';
import { stageCounts } from '../../src/board/status/status-now.ts';
import { cellWidth, lineText } from '../../src/lib/cells.ts';
import { inGlyphs } from '../../src/lib/paint.ts';
import { coreStatuses } from '../../src/service/status.ts';
import { forAll } from '../support/for-all.ts';
import {
  aBoard,
  ago,
  aParcel,
  berlin,
  day,
  hour,
  inStatus,
  minute,
  now,
  waitingPolling as waiting,
} from './parcels.ts';
import { headerText } from './texts.ts';

const offline = {
  kind: 'unreachable',
  message: 'The service cannot be reached: check the network.',
  code: 'ENOTFOUND',
  traceId: null,
} as const;

function text(input: Partial<Parameters<typeof headerText>[0]> = {}): string {
  return headerText({
    parcels: aBoard(),
    polling: waiting,
    now,
    zone: berlin,
    width: 280,
    badge: null,
    ...input,
  });
}

describe('headerRow', () => {
  it('shows what needs attention, what arrives today, the rest, and the polling state', () => {
    expect(text()).toMatch(
      /^ parcel-monitor {3}! 3 need attention {3}▲ 1 out for delivery {3}◆ 1 ready for pick-up {3}▸ 3 in transit {3}○ 1 announced {3}\? 1 no info yet {3}◇ 1 unknown {3}✓ 2 delivered +updated 2 m ago · next check 14:20 · 38 queries today $/,
    );
  });

  it('shows the demo badge at every board width', () => {
    for (const width of [160, 84, 60, 40]) expect(text({ badge: 'DEMO', width })).toContain('DEMO');
  });

  it('shows when the database became unreachable, and shows unsaved changes at every width', () => {
    const polling = { ...waiting, cutOffSince: now, problem: { ...offline, kind: 'store' } } as const;
    expect(text({ polling, width: 80 })).toMatch(/ offline since 13:42 · unsaved changes $/);
    for (let width = 40; width <= 220; width += 1) expect(text({ polling, width })).toContain(' unsaved changes ');
  });

  it('shows the time of a saved screen instead of the polling state, shortened if needed', () => {
    const asOf = asOfDay(now, berlin);
    expect(text({ asOf })).toMatch(/✓ 2 delivered +as of Sat 21 Nov 13:42 $/);
    expect(text({ asOf: asOfTime(now, berlin) })).toMatch(/✓ 2 delivered +as of 13:42 $/);
    expect(text({ asOf, width: 60 })).toMatch(/^ ! 3 attention {3}▲ 1 out {3}\+9 others +as of 21 Nov 13:42 $/);
    expect(text({ asOf, width: 40 })).toMatch(/^ ! 3 attention +as of 21 Nov 13:42 $/);
    for (let width = 40; width <= 220; width += 1) {
      const row = text({ asOf, width });
      expect(cellWidth(row)).toBe(width);
      expect(row).toMatch(/as of (?:Sat )?21 Nov 13:42 $/);
    }
  });

  it('drops less urgent parts first, and adds up their counts', () => {
    expect(text({ width: 120 })).toMatch(/▸ 3 transit {3}\+5 others +updated 2 m ago · next 14:20 $/);
    expect(text({ width: 100 })).toMatch(/▸ 3 transit {3}\+5 others +updated 2 m ago · next 14:20 $/);
    expect(text({ width: 60 })).toMatch(/^ ! 3 attention {3}▲ 1 out {3}◆ 1 pick-up {3}\+8 others +$/);
    expect(text({ width: 40 })).toMatch(/^ ! 3 attention {3}▲ 1 out {3}\+9 others +$/);
    expect(text({ width: 20 }).trimEnd()).toBe(' ! 3 attention');
    const two = [inStatus('a', 'DELIVERED', null, day), inStatus('b', 'EXPIRED', null, day)];
    expect(text({ width: 40, parcels: two })).toMatch(/^ ✓ 1 delivered {3}\+1 other +next 14:20 $/);
  });

  it('counts every watched parcel exactly once at every board width', () => {
    const anyParcel = fc
      .tuple(
        fc.constantFrom(...Object.keys(coreStatuses), 'TELEPORTED'),
        fc.constantFrom(null, 'WAITING_DELIVERY_01', 'WAITING_DELIVERY_02', 'WAITING_DELIVERY_03'),
        fc.integer({ min: 0, max: 40 }),
      )
      .map(([status, subStatus, hours]) => inStatus('a', status, subStatus, hours * hour));
    forAll(
      fc.array(anyParcel, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 40, max: 220 }),
      (parcels, width) => {
        const row = headerRow({
          counted: stageCounts({ parcels, now, zone: berlin }),
          polling: waiting,
          now,
          zone: berlin,
          width,
          badge: null,
        });
        const counts = row.map((piece) => /^(?:[^\d\s] |\+)(\d+) /.exec(piece.text)?.[1]);
        expect(counts.reduce((sum, count) => sum + Number(count ?? 0), 0)).toBe(parcels.length);
      },
    );
  });

  it('shows the number of new parcels next to the stages', () => {
    const unread = { since: ago(hour), lastRead: null };
    const parcels = [aParcel({ unread }), aParcel(), aParcel({ unread, archivedAt: ago(hour) })];
    expect(text({ parcels })).toContain(' ▸ 2 in transit   • 1 new  ');
    expect(text({ parcels, width: 40 })).toContain(' • 1 new ');
  });

  it('counts parcels at a collection point as ready for pick-up, never as out for delivery', () => {
    for (const status of ['WAITING_DELIVERY', 'OUT_FOR_DELIVERY']) {
      expect(text({ parcels: [inStatus('a', status, 'WAITING_DELIVERY_02', hour)] })).toMatch(
        / {3}◆ 1 ready for pick-up +up/,
      );
    }
  });

  it('omits zeros and archived parcels', () => {
    const parcels = [aParcel(), aParcel({ archivedAt: ago(day) })];
    expect(text({ parcels })).toMatch(/^ parcel-monitor {3}▸ 1 in transit +updated/);
    expect(text({ parcels: [] })).toMatch(/^ parcel-monitor {3}no parcels yet +updated/);
  });

  it.each([
    [{ phase: 'off', nextPollAt: null, lastResponseAt: null, queriesToday: 0 }, / not set up $/],
    [{ phase: 'checking' }, / checking now · 38 queries today $/],
    [{ phase: 'backing-off', problem: offline }, / offline · updated 2 m ago · retry 14:20 · 38 queries today $/],
    [
      { phase: 'stopped', problem: { ...offline, kind: 'key-refused' } },
      / stopped: key refused · updated 2 m ago · 38 queries today $/,
    ],
    [{ nextPollAt: null, queriesToday: 1 }, / updated 2 m ago · nothing due · 1 query today $/],
    [{ nextPollAt: now - 1, lastResponseAt: null }, / {2}next check now · 38 queries today $/],
    [{ queriesToday: 12 }, / updated 2 m ago · next check 14:20 · 12 queries today $/],
    [{ queriesToday: 0 }, / updated 2 m ago · next check 14:20 $/],
    [{ paused: true, nextPollAt: null, queriesToday: 12 }, / {2}paused · updated 2 m ago · 12 queries today $/],
    [{ paused: true, phase: 'checking' }, / paused · checking now · 38 queries today $/],
    [
      { paused: true, phase: 'backing-off', nextPollAt: null, problem: offline },
      / offline · paused · updated 2 m ago · 38 queries today $/,
    ],
    [{ isFollowing: true }, / updated by another window · updated 2 m ago · next check 14:20 · 38 queries today $/],
    [
      { isFollowing: true, connectedPrograms: { checkedBy: { host: 'nas', isHeldByUs: false }, boards: 2 } },
      / {2}checked by nas · 2 boards · updated 2 m ago · next check 14:20 · 38 queries today $/,
    ],
    [
      { connectedPrograms: { checkedBy: { host: 'nas', isHeldByUs: true }, boards: 3 } },
      / {2}checked by this board · 3 boards · updated 2 m ago · next check 14:20 · 38 queries today $/,
    ],
    // A watch without a screen polls. This is the only board.
    [
      { connectedPrograms: { checkedBy: { host: 'nas', isHeldByUs: false }, boards: 1 } },
      / {2}checked by nas · updated 2 m ago /,
    ],
    [{ connectedPrograms: { checkedBy: null, boards: 2 } }, / {2}2 boards · updated 2 m ago /],
    // There is no other board.
    [{ connectedPrograms: { checkedBy: { host: 'nas', isHeldByUs: true }, boards: 1 } }, / {2}updated 2 m ago /],
    [{ connectedPrograms: { checkedBy: null, boards: 1 } }, / {2}updated 2 m ago /],
    [
      {
        phase: 'backing-off',
        problem: offline,
        connectedPrograms: { checkedBy: { host: 'nas', isHeldByUs: false }, boards: 2 },
      },
      / offline · checked by nas · 2 boards · updated 2 m ago /,
    ],
    [
      { budget: { message: '', short: '3 of 3 queries used; 1 waits', resumesAt: now + 38 * minute, waiting: 1 } },
      / 3 of 3 queries used; 1 waits · updated 2 m ago · next check 14:20 · 38 queries today $/,
    ],
  ] as const)('describes the polling state: %j', (polling, pattern) => {
    expect(text({ polling: { ...waiting, ...polling } })).toMatch(pattern);
  });

  it.each([
    [160, ' checked by nas · 2 boards · updated 2 m ago · next check 14:20 · 38 queries today '],
    [80, ' by nas · 2 boards · updated 2 m ago · next 14:20 '],
    [60, ' by nas · updated 2 m ago · next 14:20 '],
    [45, ' by nas · next 14:20 '],
  ])('shows which host checks, shortened if needed: %j cells', (width, end) => {
    const polling = {
      ...waiting,
      isFollowing: true,
      connectedPrograms: { checkedBy: { host: 'nas', isHeldByUs: false }, boards: 2 },
    };
    const line = text({ width, parcels: [aParcel()], polling });
    expect(line.slice(-end.length)).toBe(end);
    expect(cellWidth(line)).toBe(width);
  });

  it('truncates a long host name, even in ASCII', () => {
    const polling = {
      ...waiting,
      connectedPrograms: { checkedBy: { host: `${'a'.repeat(60)}`, isHeldByUs: false }, boards: 2 },
    };
    const line = inGlyphs(text({ polling }), 'ascii');
    expect(line).toMatch(/ by a{20,23}\S* . 2 boards . updated /);
    expect(line).toMatch(/^[ -~]*$/);
  });

  it('keeps the problem when space is short', () => {
    expect(text({ width: 60, polling: { ...waiting, phase: 'backing-off', problem: offline } })).toContain('offline');
  });

  it('draws in ASCII on request', () => {
    expect(inGlyphs(text({ parcels: [aParcel()] }), 'ascii').slice(0, 32)).toMatch(
      /^ parcel-monitor {3}> 1 in transit/,
    );
  });

  it('fits every board width', () =>
    forAll(
      fc.integer({ min: 20, max: 220 }),
      fc.constantFrom('DEMO' as const, null),
      fc.constantFrom(offline, null),
      (width, badge, problem) => {
        expect(cellWidth(text({ width, badge, polling: { ...waiting, problem } }))).toBe(width);
      },
    ));
});

describe('problemLines', () => {
  const long = { ...offline, message: 'One two three four five six seven.' };

  it('shows the message and its code', () => {
    expect(problemLines(offline, 80, 3).map(lineText)).toEqual([
      'The service cannot be reached: check the network.  ENOTFOUND',
    ]);
  });

  it('wraps a long message without omitting anything', () => {
    expect(problemLines(long, 17, 3).map(lineText)).toEqual(['One two three', 'four five six', 'seven.']);
    expect(problemLines(long, 17, 2).map(lineText)).toEqual(['One two three', 'four five six seven.']);
    expect(problemLines(long, 17, 1).map(lineText)).toEqual(['One two three four five six seven.  ENOTFOUND']);
  });

  it('omits the address of the database if it does not fit', () => {
    const message = 'postgres://ann@nas:5432/parcels gives this user only the right to read. Use another user.';
    const problem = { ...offline, code: null, message };
    expect(problemLines(problem, 120, 1).map(lineText)).toEqual([message]);
    expect(problemLines(problem, 60, 2).map(lineText)).toEqual([
      'postgres://ann@nas:5432/parcels gives this user only the',
      'right to read. Use another user.',
    ]);
    expect(problemLines(problem, 40, 1).map(lineText)).toEqual([
      'The database gives this user only the right to read. Use another user.',
    ]);
  });

  it('shows how many more messages are waiting, even if that truncates this one', () => {
    const notice = { ...long, code: null, more: 2 };
    expect(problemLines(notice, 80, 3).map(lineText)).toEqual(['One two three four five six seven. (2 more)']);
    expect(problemLines(notice, 17, 2).map(lineText)).toEqual(['One two three', 'four… (2 more)']);
    expect(problemLines(notice, 17, 1).map(lineText)).toEqual(['One … (2 more)']);
  });
});
