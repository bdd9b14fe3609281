import { describe, expect, it } from 'vitest';
import { type KeptView, ViewKeeper } from '../../src/store/saved-view.ts';
import { createFakeClock } from '../support/fake-clock.ts';

function keeperOn(update: (changes: Partial<KeptView>) => Promise<void>) {
  const clock = createFakeClock();
  const problems: unknown[] = [];
  const keeper = new ViewKeeper({ memory: { update }, clock, onProblem: (error) => void problems.push(error) });
  return { clock, keeper, problems };
}

function recordingKeeper() {
  const written: Partial<KeptView>[] = [];
  const update = async (changes: Partial<KeptView>): Promise<void> => void written.push(changes);
  return { ...keeperOn(update), written };
}

describe('keeping the view', () => {
  it('writes changes that follow each other at once, a moment after the last', async () => {
    const { clock, keeper, written } = recordingKeeper();
    keeper.keep({ selectedId: 'p1' });
    await clock.advance(900);
    keeper.keep({ selectedId: 'p2', timeMode: 'utc' });
    await clock.advance(900);
    expect(written).toEqual([]);
    await clock.advance(200);
    expect(written).toEqual([{ selectedId: 'p2', timeMode: 'utc' }]);
  });

  it('writes nothing and waits for nothing without a change', async () => {
    const { clock, keeper, written } = recordingKeeper();
    keeper.keep({ filter: 'lamp' });
    await clock.advance(5_000);
    expect(clock.timers()).toBe(0);
    await keeper.close();
    expect(written).toHaveLength(1);
  });

  it('writes what is left at the end, and waits until all is written', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started: Partial<KeptView>[] = [];
    const { clock, keeper } = keeperOn((changes) => {
      started.push(changes);
      return promise;
    });
    keeper.keep({ filter: 'lamp' });
    await clock.advance(1_000);
    keeper.keep({ filter: 'kettle' });
    let isClosed = false;
    const closed = keeper.close().then(() => {
      isClosed = true;
    });
    await clock.advance(0);
    expect(started).toEqual([{ filter: 'lamp' }, { filter: 'kettle' }]);
    expect(isClosed).toBe(false);
    resolve();
    await closed;
    expect(clock.timers()).toBe(0);
  });

  it('says once that nothing can be remembered, and goes on', async () => {
    const { clock, keeper, problems } = keeperOn(() => Promise.reject(new Error('read-only')));
    keeper.keep({ filter: 'a' });
    await clock.advance(1_000);
    keeper.keep({ filter: 'b' });
    await keeper.close();
    expect(problems).toEqual([new Error('read-only')]);
  });
});
