import fc from 'fast-check';
import { expect } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { createMemoryStore, type ParcelWrite, type StoredParcels, type WatchlistStore } from '../../src/store/store.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { someThursday } from '../support/fake-clock.ts';
import { checkpointOf } from '../support/records.ts';
import type { StoreKind } from './store-contract.ts';

const ids = ['rb1cn', 'rb2cn', 'rb3cn', 'rb4cn'] as const;

/** An action by one of two clients on some of the parcels. */
export interface ModelStep {
  readonly client: 0 | 1;
  /** Whether the client reads the watchlist first. */
  readonly readsFirst: boolean;
  readonly kind: 'add' | 'label' | 'archive' | 'remove' | 'history';
  readonly ids: readonly string[];
  readonly text: string;
}

const steps: fc.Arbitrary<readonly ModelStep[]> = fc.array(
  fc.record<ModelStep>({
    client: fc.constantFrom(0, 1),
    readsFirst: fc.boolean(),
    kind: fc.constantFrom('add', 'add', 'label', 'archive', 'remove', 'history'),
    ids: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 }),
    text: fc.constantFrom('Lamp', 'Desk', 'Tür', ''),
  }),
  { minLength: 4, maxLength: 14 },
);

/** Runs the same steps on a store and on the memory store, and expects equal results. */
export async function expectLikeMemory({ create }: StoreKind, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const watchlist = await create();
      const memory = createMemoryStore();
      const [clients, memoryClients] = [
        [watchlist.open(), watchlist.open()],
        [memory, memory],
      ];
      expect(await resultsOf(script, clients, watchlist.open())).toEqual(
        await resultsOf(script, memoryClients, memory),
      );
    }),
    { numRuns },
  );
}

/** The outcome of every step, and the final state as a new client sees it. */
async function resultsOf(
  script: readonly ModelStep[],
  stores: readonly WatchlistStore[],
  observer: WatchlistStore,
): Promise<unknown> {
  const outcomes: unknown[] = [];
  const known: StoredParcels[] = [];
  /** What the other client has removed since each client last read. */
  const removedSince = [new Set<string>(), new Set<string>()] as const;
  for (const [index, step] of script.entries()) {
    const store = stores[step.client] ?? observer;
    const removed = removedSince[step.client];
    // Not every store notices that a parcel was added and removed in between, so some refuse it and others do not.
    const wasRemoved = step.kind === 'add' && step.ids.some((id) => removed.has(id));
    if (step.readsFirst || wasRemoved || known[step.client] === undefined) {
      known[step.client] = await store.read();
      removed.clear();
    }
    const base = known[step.client] ?? (await store.read());
    if (step.kind === 'history') {
      for (const id of step.ids)
        await store.updateHistory(id, (history) => ({
          ...history,
          checkpoints: [...history.checkpoints, checkpointOf(`${index}${step.text}`, null)],
        }));
      continue;
    }
    const outcome = await store.write(writesOf(step, index, base.parcels), base, someThursday + index * 1_000);
    outcomes.push(outcome.isWritten);
    known[step.client] = await store.read();
    removed.clear();
    if (step.kind === 'remove') for (const id of step.ids) removedSince[step.client === 0 ? 1 : 0].add(id);
  }
  const { changeSeq, parcels } = await observer.read();
  return {
    outcomes,
    changeSeq,
    parcels,
    changes: await observer.changeLogAfter(0),
    histories: await Promise.all(ids.map(async (id) => (await observer.readHistory(id)).checkpoints)),
  };
}

function writesOf(
  { ids: chosen, kind, text }: ModelStep,
  index: number,
  parcels: readonly Parcel[],
): readonly ParcelWrite[] {
  return chosen.flatMap((id): readonly ParcelWrite[] => {
    const parcel = parcels.find((candidate) => candidate.id === id);
    if (kind === 'add') return parcel === undefined ? [{ id, parcel: parcelOf(id.toUpperCase()) }] : [];
    if (parcel === undefined) return [];
    if (kind === 'remove') return [{ id, parcel: null }];
    // Labels differ each time: whether a write that changes nothing counts as a change depends on the store.
    const label = `${text}${index}`;
    const changed: Parcel =
      kind === 'label'
        ? { ...parcel, label }
        : { ...parcel, archivedAt: parcel.archivedAt === null ? parcel.addedAt : null };
    return [{ id, parcel: changed as ParcelWrite['parcel'] }];
  });
}
