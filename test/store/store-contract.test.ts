import { it, onTestFinished } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { someThursday } from '../support/fake-clock.ts';
import { realClock } from '../support/real-clock.ts';
import { rounds } from '../support/rounds.ts';
import { describeStoreContract, type StoreKind } from './store-contract.ts';
import { createStoreFolder } from './store-folder.ts';
import { expectLikeMemory } from './store-model.ts';

/** The contract uses fixed dates, and the change log drops lines older than 90 days. */
const clock: Clock = { ...realClock, now: () => someThursday };

const inFiles: StoreKind = {
  isShared: true,
  async create() {
    const folder = await createStoreFolder();
    onTestFinished(() => folder.remove());
    const open = () => folder.open({ clock });
    return { open, recovery: () => open().recovery };
  },
};

describeStoreContract('in files', inFiles);

describeStoreContract('in memory', {
  isShared: false,
  async create() {
    const store = createMemoryStore();
    return { open: () => store, recovery: () => null };
  },
});

it('behaves in files as it does in memory, for any actions by two clients', async () => {
  await expectLikeMemory(inFiles, rounds(20, 8));
});
