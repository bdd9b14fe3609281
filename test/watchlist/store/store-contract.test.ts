import { onTestFinished } from 'vitest';
import { createMemoryStore } from '../../../src/watchlist/store/memory-store.ts';
import { createStoreFolder } from '../store-folder.ts';
import { describeStoreContract } from './store-contract.ts';

describeStoreContract('in files', {
  isShared: true,
  async begin() {
    const folder = await createStoreFolder();
    onTestFinished(() => folder.remove());
    return { open: () => folder.open(), recovery: () => folder.open().recovery };
  },
});

describeStoreContract('in memory', {
  isShared: false,
  async begin() {
    const store = createMemoryStore();
    return { open: () => store, recovery: () => null };
  },
});
