import { describe, expect, it } from 'vitest';
import { CallGate, type CallGateOptions } from '../../../src/polling/gate/call-gate.ts';
import { pollingAtStart } from '../../../src/polling/schedule/polling-at-start.ts';
import { soonestWaits } from '../../../src/polling/schedule/soonest-waits.ts';
import { createMemoryStore } from '../../../src/watchlist/store/memory-store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { parcelOf } from '../../watchlist/parcels.ts';
import { startHarness } from '../harness.ts';

const minuteMs = 60_000;

/** How a monitor says that it polls right after its start, and how that looks by what is called about first. */
async function atStart(dueAfterMs: (index: number) => number | null, options: Partial<CallGateOptions> = {}) {
  const clock = createFakeClock();
  const now = clock.now();
  const parcels = Array.from({ length: 450 }, (_, index) => {
    const due = dueAfterMs(index);
    return parcelOf(`RB${100_000_000 + index}CN`, {
      id: `parcel-${index}`,
      registration: index % 5 === 0 ? 'pending' : 'registered',
      nextPollAt: due === null ? null : new Date(now + due).toISOString(),
    });
  });
  const harness = await startHarness({ store: createMemoryStore({ version: 1, parcels }), ...options }, { clock });
  const gate = new CallGate(harness.options);
  await gate.recall();
  const waits = soonestWaits(parcels, gate.policy);
  harness.monitor.start();
  const { polling } = harness.monitor.getState();
  return { polling, expected: pollingAtStart(gate, waits, harness.service.batchLimits, now) };
}

describe('pollingAtStart', () => {
  it.each<[string, (index: number) => number | null]>([
    ['soon', (index) => ((index * 37) % 450) * minuteMs],
    ['all at once', () => 5 * minuteMs],
    ['overdue', (index) => (index - 300) * minuteMs],
    ['for many of which nothing is planned', (index) => (index % 3 === 0 ? null : index * minuteMs)],
  ])('says what a monitor says of parcels that are due: %s', async (_, dueAfterMs) => {
    const { expected, polling } = await atStart(dueAfterMs);
    expect(expected).toEqual(polling);
    expect(expected?.nextPollAt).not.toBeNull();
  });

  it('leaves it to the monitor to say how many a budget holds back', async () => {
    const { expected } = await atStart(() => minuteMs, { budget: { queriesPerDay: 0, registrationsPerMonth: null } });
    expect(expected).toBeNull();
  });
});
