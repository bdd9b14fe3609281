import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/lib/store-errors.ts';
import { MemoryKeeper } from '../../../src/polling/gate/lease-and-memory.ts';
import { emptyPollingMemory, type PollingMemory, type PollingMemoryData } from '../../../src/store/shared-state.ts';

const ownPause = { until: 1_000, byService: false, failures: 1 };
const servicePause = { until: 9_000, byService: true, failures: 1 };

/** Creates a keeper of a shared memory that can become unreachable. */
function createKeeper() {
  const shared = { kept: emptyPollingMemory, isCutOff: false };
  const update = async (change = (kept: PollingMemoryData): PollingMemoryData => kept): Promise<PollingMemoryData> => {
    if (shared.isCutOff) throw new StoreError('cut-off', 'cut off', 'nas');
    shared.kept = change(shared.kept);
    return shared.kept;
  };
  const memory: PollingMemory = { isBinding: true, read: () => update(), update };
  const keeper = new MemoryKeeper(memory, { onProblem: () => {}, onMemory: () => {}, onUsage: () => {} });
  return { keeper, shared };
}

describe('the shared memory', () => {
  it.each([
    ['a shorter pause', ownPause],
    ['the end of a pause', null],
  ])(
    'is not overwritten with %s after an outage, if the service has asked a different host for a longer pause',
    async (_, coolDown) => {
      const { keeper, shared } = createKeeper();
      shared.isCutOff = true;
      await keeper.remember({ coolDown, paused: true });
      shared.kept = { ...shared.kept, coolDown: servicePause };
      shared.isCutOff = false;
      await keeper.load();
      expect(shared.kept).toMatchObject({ coolDown: servicePause, paused: true });
      expect(keeper.current).toEqual(shared.kept);
      expect(keeper.cutOff).toBeNull();
    },
  );

  it('is updated after an outage if our values are newer', async () => {
    const { keeper, shared } = createKeeper();
    shared.kept = { ...shared.kept, coolDown: { ...servicePause, until: 500 } };
    shared.isCutOff = true;
    await keeper.remember({ coolDown: servicePause });
    shared.isCutOff = false;
    await keeper.load();
    expect(shared.kept.coolDown).toEqual(servicePause);
  });
});
