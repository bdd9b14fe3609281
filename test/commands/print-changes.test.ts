import { describe, expect, it } from 'vitest';
import { printChanges } from '../../src/commands/print-changes.ts';
import type { Change } from '../../src/parcels/change.ts';
import type { Session } from '../../src/settings/session/session.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createFakeMonitor } from '../support/fake-monitor.ts';

const lineOf = (seq: number): Change => ({
  version: 1,
  seq,
  at: '2026-11-20T08:00:00Z',
  noticedAt: '2026-11-20T08:00:00Z',
  change: 'event',
  parcelId: 'p1',
  trackNo: 'RB1CN',
  courierCode: null,
  label: null,
  from: null,
  to: null,
  message: `Event ${seq}`,
});

/** A session that only prints, and the printed lines. */
function createPrintSession() {
  const printed: string[] = [];
  const output = { write: (text: string) => void printed.push(text.trim()) };
  const context = { stdout: output, stderr: output, clock: createFakeClock(), signal: new AbortController().signal };
  const session = {
    context: { ...context, environment: {}, homeDirectory: '/nowhere', platform: 'linux' },
    configuration: { zone: () => 'Europe/Berlin' },
    stores: async () => ({ recovery: { trashed: async () => [] } }),
  } as unknown as Session;
  return { session, printed };
}

describe('changes printed since an earlier line', () => {
  it('appear once and in order, even if the monitor reports some of them and new ones at the same time', async () => {
    const { session, printed } = createPrintSession();
    const fake = createFakeMonitor([]);
    fake.writeChanges(lineOf(1), lineOf(2), lineOf(3));
    const monitor = {
      ...fake,
      // This change was in progress when printing started.
      whenIdle: async () => fake.writeChanges(lineOf(4)),
      changesAfter: async (seq: number) => {
        const changes = await fake.changesAfter(seq);
        fake.writeChanges(lineOf(5));
        return changes;
      },
    };
    const printing = printChanges(session, { monitor, clock: createFakeClock(), json: false, since: 1, hook: null });
    await printing.catchUp();
    fake.writeChanges(lineOf(6));
    printing.stop();
    fake.writeChanges(lineOf(7));
    expect(printed).toEqual([2, 3, 4, 5, 6].map((seq) => `20 Nov 09:00  RB1CN: Event ${seq}`));
  });

  it('are not repeated when the monitor reports them later, unless the log was restarted', async () => {
    const { session, printed } = createPrintSession();
    const fake = createFakeMonitor([]);
    fake.writeChanges(lineOf(1), lineOf(2), lineOf(3), lineOf(4));
    // Another process wrote the last two changes after the watchlist was loaded.
    const printing = printChanges(session, {
      monitor: { ...fake, changeSeq: () => 2 },
      clock: createFakeClock(),
      json: false,
      since: 1,
      hook: null,
    });
    await printing.catchUp();
    fake.writeChanges(lineOf(3), lineOf(4), lineOf(5));
    fake.writeChanges(lineOf(1));
    expect(printed.map((line) => line.at(-1))).toEqual(['2', '3', '4', '5', '1']);
  });
});
