import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { followerWaitMs, Notifier, type NotifierOptions, settleMs } from '../../src/notify/notifier.ts';
import { parseQuietHours } from '../../src/notify/silence.ts';
import type { Change } from '../../src/parcels/change.ts';
import { createFileDocument, createNotifyCursor, type NotifyCursor, readCursor } from '../../src/store/shared-state.ts';
import { ago, aParcel, berlin, now } from '../board/parcels.ts';
import { createHarness, type Harness } from '../polling/harness.ts';
import { createStoreFolder } from '../store/store-folder.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { createFakeMonitor, type FakeMonitor } from '../support/fake-monitor.ts';
import { createTestFolder } from '../support/test-folder.ts';
import { aChange } from './changes.ts';

let folder = '';
beforeEach(async () => {
  folder = await createTestFolder();
});

/** A process that sends notifications, and what it has sent. */
interface Sender {
  readonly notifier: Notifier;
  readonly titles: string[];
  readonly changes: Change[];
  readonly reports: (string | null)[];
}

interface SenderOptions {
  readonly pid?: number;
  readonly running?: ReadonlySet<number>;
  readonly cursor?: (cursor: NotifyCursor) => NotifyCursor;
  readonly options?: Partial<NotifierOptions>;
}

async function startSender(
  monitor: NotifierOptions['monitor'],
  clock: FakeClock,
  { pid = 1, running = new Set([1, 2]), cursor = (file) => file, options = {} }: SenderOptions = {},
): Promise<Sender> {
  const sent: Omit<Sender, 'notifier'> = { titles: [], changes: [], reports: [] };
  const processes = { pid, scope: () => 'here', isRunning: (other: number) => running.has(other) };
  const context = { clock, random: Math.random, processes };
  const file = createNotifyCursor(createFileDocument(join(folder, 'notify.json'), readCursor, context), processes);
  const notifier = new Notifier({
    monitor,
    cursor: cursor(file),
    channels: [
      {
        name: 'bell',
        mechanism: '',
        unusable: null,
        send: async ({ title }, changes) => {
          sent.titles.push(title);
          sent.changes.push(...changes);
          return null;
        },
      },
    ],
    tags: [],
    template: null,
    stages: ['attention', 'delivered'],
    quietHours: null,
    zone: berlin,
    isSilent: async () => false,
    clock,
    report: (_about, sentence) => void sent.reports.push(sentence),
    ...options,
  });
  await notifier.start();
  return { notifier, ...sent };
}

/** Advances the clock until the condition is met. */
async function advanceUntil(clock: FakeClock, isDone: () => boolean): Promise<void> {
  await expect
    .poll(
      async () => {
        await clock.advance(250);
        return isDone();
      },
      { timeout: 30_000, interval: 5 },
    )
    .toBe(true);
}

/** Advances the clock until the work settles, and returns its result. */
async function advanceUntilSettled<Result>(clock: FakeClock, work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  await advanceUntil(clock, () => isDone);
  return await done;
}

const parcels = Array.from({ length: 9 }, (_, index) => aParcel({ id: `p${index + 1}`, addedAt: ago(86_400_000) }));
const startMonitor = (): { readonly monitor: FakeMonitor; readonly clock: FakeClock } => ({
  monitor: createFakeMonitor(parcels),
  clock: createFakeClock(now),
});

describe('a process that sends notifications', () => {
  it('sends a single message per round', async () => {
    const { monitor, clock } = startMonitor();
    const sender = await startSender(monitor, clock);
    monitor.writeChanges(aChange(1, 'delivered', { label: 'Lamp' }));
    await clock.advance(settleMs / 2);
    monitor.writeChanges(aChange(2, 'attention'), aChange(3, 'in-transit'));
    await advanceUntil(clock, () => sender.titles.length > 0);
    expect(sender.titles).toEqual(['2 changes']);
    await advanceUntilSettled(clock, sender.notifier.close());
  });

  it('sends a message eventually, even if changes never stop', async () => {
    const { monitor, clock } = startMonitor();
    const sender = await startSender(monitor, clock);
    let seq = 0;
    await advanceUntil(clock, () => {
      seq += 1;
      monitor.writeChanges(aChange(seq, 'delivered', { parcelId: 'p1' }));
      return sender.titles.length > 0;
    });
    expect(sender.changes.map((change) => change.seq)).toEqual(sender.changes.map((_, index) => index + 1));
    await advanceUntilSettled(clock, sender.notifier.close());
  });

  it('ignores changes from before its start, and stages without notifications', async () => {
    const { monitor, clock } = startMonitor();
    monitor.writeChanges(aChange(1, 'delivered'));
    const sender = await startSender(monitor, clock);
    monitor.writeChanges(aChange(2, 'in-transit'));
    await clock.advance(10 * settleMs);
    monitor.writeChanges(aChange(3, 'delivered'));
    await advanceUntil(clock, () => sender.titles.length > 0);
    expect(sender.changes.map(({ seq }) => seq)).toEqual([3]);
    await advanceUntilSettled(clock, sender.notifier.close());
  });

  it('sends nothing while muted, and does not send it later', async () => {
    const { monitor, clock } = startMonitor();
    let isSilent = true;
    const sender = await startSender(monitor, clock, { options: { isSilent: async () => isSilent } });
    monitor.writeChanges(aChange(1, 'delivered'));
    await clock.advance(60_000);
    isSilent = false;
    monitor.writeChanges(aChange(2, 'delivered'));
    await advanceUntil(clock, () => sender.titles.length > 0);
    expect(sender.changes.map(({ seq }) => seq)).toEqual([2]);
    await advanceUntilSettled(clock, sender.notifier.close());
  });

  it('sends nothing in quiet hours, and a single digest when they end', async () => {
    const { monitor, clock } = startMonitor();
    // It is 13:42 in Berlin.
    const sender = await startSender(monitor, clock, { options: { quietHours: parseQuietHours('13:00-14:00') } });
    monitor.writeChanges(aChange(1, 'delivered'));
    await clock.advance(5 * 60_000);
    monitor.writeChanges(aChange(2, 'attention'));
    await clock.advance(5 * 60_000);
    expect(sender.titles).toEqual([]);
    await clock.advance(8 * 60_000);
    await advanceUntil(clock, () => sender.titles.length > 0);
    expect(sender.titles).toEqual(['2 changes in quiet hours']);
    await advanceUntilSettled(clock, sender.notifier.close());
  });

  it('can be closed while the monitor is still busy', async () => {
    const { monitor, clock } = startMonitor();
    const sender = await startSender({ ...monitor, whenIdle: () => new Promise(() => undefined) }, clock);
    monitor.writeChanges(aChange(1, 'delivered'));
    await advanceUntilSettled(clock, sender.notifier.close());
    expect(sender.titles).toEqual([]);
  });

  it('reports a failure, and tries again in the next round', async () => {
    const { monitor, clock } = startMonitor();
    let fails = true;
    const sender = await startSender(monitor, clock, {
      cursor: (file) => ({
        ...file,
        claim: async (seq) => {
          if (fails) throw new Error('No space is left.');
          return await file.claim(seq);
        },
      }),
    });
    monitor.writeChanges(aChange(1, 'delivered'));
    await advanceUntil(clock, () => sender.reports.at(-1) !== null);
    expect(sender.reports.at(-1)).toBe('Notifications could not be sent. No space is left.');
    fails = false;
    monitor.writeChanges(aChange(2, 'delivered'));
    await advanceUntil(clock, () => sender.titles.length > 0);
    expect(sender.changes.map(({ seq }) => seq)).toEqual([1, 2]);
    await advanceUntilSettled(clock, sender.notifier.close());
  });
});

describe('two processes that send notifications for the same watchlist', () => {
  interface Pair {
    readonly clock: FakeClock;
    readonly first: Harness;
    readonly second: Harness;
    /** Gives all parcels a new status, and makes the first process check them. */
    round(transitStatus: string): Promise<void>;
  }

  async function startPair(): Promise<Pair> {
    const store = await createStoreFolder(folder);
    const clock = createFakeClock(now);
    const policy = { followMs: 500 };
    const first = await advanceUntilSettled(clock, createHarness({ store: store.open({ clock }), policy }, { clock }));
    const ids: string[] = [];
    for (const trackNo of ['RB1CN', 'RB2CN']) ids.push((await advanceUntilSettled(clock, first.add(trackNo))).id);
    await advanceUntilSettled(clock, first.monitor.refresh(ids));
    await clock.advance(3_600_000);
    const follower = createHarness({ store: store.open({ clock }), service: null, policy }, { clock });
    const second = await advanceUntilSettled(clock, follower);
    first.monitor.start();
    second.monitor.start();
    onTestFinished(async () => {
      await advanceUntilSettled(clock, Promise.all([first.monitor.stop(), second.monitor.stop()]));
    });
    return {
      clock,
      first,
      second,
      round: async (transitStatus) => {
        first.service.reply = () => ({ transitStatus, transitSubStatus: null });
        await advanceUntilSettled(clock, first.monitor.refresh(ids));
      },
    };
  }

  /** Returns a process's monitor, as if the other process polled. */
  const asFollower = ({ monitor }: Harness): NotifierOptions['monitor'] => ({
    ...monitor,
    getState: () => {
      const state = monitor.getState();
      return { ...state, polling: { ...state.polling, isFollowing: true } };
    },
  });
  const sentChanges = (...senders: readonly Sender[]): readonly string[] =>
    senders.flatMap(({ changes }) => changes.map(({ seq, trackNo }) => `${seq} ${trackNo}`)).sort();

  it('send each change only once', async () => {
    const { clock, first, second, round } = await startPair();
    const senders = [
      await startSender(first.monitor, clock, { pid: 1 }),
      await startSender(asFollower(second), clock, { pid: 2 }),
    ] as const;
    for (const status of ['ABNORMAL', 'DELIVERED', 'ABNORMAL', 'DELIVERED']) {
      const before = sentChanges(...senders).length;
      await round(status);
      await advanceUntil(clock, () => sentChanges(...senders).length >= before + 2);
    }
    await clock.advance(4 * followerWaitMs);
    expect(new Set(sentChanges(...senders)).size).toBe(8);
    expect(sentChanges(...senders)).toHaveLength(8);
    for (const { notifier } of senders) await advanceUntilSettled(clock, notifier.close());
  });

  it('lose one notification, but duplicate none, if a process is killed between claiming and sending it', async () => {
    const { clock, first, second, round } = await startPair();
    const running = new Set([1, 2]);
    let hasClaimed = false;
    const killed = await startSender(first.monitor, clock, {
      pid: 1,
      running,
      cursor: (file) => ({
        ...file,
        claim: async (seq) => {
          await file.claim(seq);
          hasClaimed = true;
          return await new Promise<never>(() => undefined);
        },
      }),
    });
    const other = await startSender(asFollower(second), clock, { pid: 2, running });
    await round('ABNORMAL');
    await advanceUntil(clock, () => hasClaimed);
    running.delete(1);
    await clock.advance(2 * followerWaitMs);
    expect(sentChanges(killed, other)).toEqual([]);
    await round('DELIVERED');
    await advanceUntil(clock, () => sentChanges(other).length > 0);
    expect(sentChanges(killed, other)).toHaveLength(2);
    await advanceUntilSettled(clock, other.notifier.close());
  });

  it('lose nothing if a process is killed before claiming it', async () => {
    const { clock, first, second, round } = await startPair();
    const killed = await startSender(first.monitor, clock, {
      pid: 1,
      cursor: (file) => ({ ...file, claim: () => new Promise<never>(() => undefined) }),
    });
    const other = await startSender(asFollower(second), clock, { pid: 2 });
    await round('ABNORMAL');
    await advanceUntil(clock, () => sentChanges(other).length > 0);
    expect(sentChanges(killed, other)).toHaveLength(2);
    await advanceUntilSettled(clock, other.notifier.close());
  });
});
