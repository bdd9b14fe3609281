import { it, onTestFinished } from 'vitest';
import { createMemoryStore } from '../../../src/watchlist/store/memory-store.ts';
import { rounds } from '../../support/rounds.ts';
import { createStoreFolder } from '../store-folder.ts';
import { describeStoreContract, type StoreKind } from './store-contract.ts';
import { expectLikeMemory } from './store-model.ts';

const inFiles: StoreKind = {
  isShared: true,
  async begin() {
    const folder = await createStoreFolder();
    onTestFinished(() => folder.remove());
    return { open: () => folder.open(), recovery: () => folder.open().recovery };
  },
};

describeStoreContract('in files', inFiles);

describeStoreContract('in memory', {
  isShared: false,
  async begin() {
    const store = createMemoryStore();
    return { open: () => store, recovery: () => null };
  },
});

it('in files does what the store in memory does, whatever two clients do', async () => {
  await expectLikeMemory(inFiles, rounds(20, 8));
});
