import { Text } from 'ink';
import { describe, expect, it } from 'vitest';
import { KeptList } from '../../../src/ui/list/kept-list.ts';
import { useList } from '../../../src/ui/list/use-list.ts';
import { type OpenedList, openedList, openedState } from '../../../src/ui/opening/opened-board.ts';
import { useNow } from '../../../src/ui/use-now.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { firstView, type KeptView } from '../../../src/watchlist/state/view-memory.ts';
import { aBoard, aParcel, berlin, hour, now } from '../../board/parcels.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createFakeMonitor } from '../../support/fake-monitor.ts';
import { drawn } from '../drawn.tsx';

const parcels = aBoard();

const servicesOf = (view: Partial<KeptView> = {}) =>
  ({
    monitor: createFakeMonitor(parcels),
    view: { ...firstView, ...view },
    setup: { kind: 'ready' },
    setupEffects: null,
  }) as const;

function openedWith(): { readonly kept: KeptList; readonly opened: OpenedList } {
  const kept = new KeptList();
  const opened = openedList({ ...servicesOf(), zone: berlin }, now, kept);
  if (opened === null) throw new Error('There is no list.');
  return { kept, opened };
}

interface Then {
  readonly parcels?: readonly Parcel[];
  readonly later?: number;
  readonly view?: Partial<KeptView>;
}

/** The list as Ink draws it first, behind a frame in which it stood already; whether it is the same, and not one that is equal. */
function isTheSame(
  { kept, opened }: ReturnType<typeof openedWith>,
  then: Then = {},
): { readonly list: boolean; readonly needs: boolean } {
  let found: ReturnType<typeof useList> | null = null;
  const neededBefore = opened.needs();
  const shown = then.parcels ?? parcels;
  function Drawing() {
    const [at] = useNow(createFakeClock(now + (then.later ?? 0)), {}, { news: {}, now });
    const usual = kept.usual(shown);
    const ui = openedState(servicesOf(then.view));
    found = useList(shown, ui, () => undefined, { now: at, usual, zone: berlin }, kept);
    return <Text>{found.arrangement.order.length}</Text>;
  }
  drawn(<Drawing />);
  const list = found as ReturnType<typeof useList> | null;
  return { list: list?.arrangement === opened.arrangement, needs: list?.needs() === neededBefore };
}

const same = { list: true, needs: true };
const anew = { list: false, needs: false };

it('is not computed again for the first frame, in which it stands already, when only something else is new', () => {
  expect(isTheSame(openedWith())).toEqual(same);
  expect(isTheSame(openedWith(), { later: 999 })).toEqual(same);
});

it('is computed anew for other parcels, another view, and where its texts may be old', () => {
  expect(isTheSame(openedWith(), { parcels: [...parcels] })).toEqual(anew);
  expect(isTheSame(openedWith(), { view: { order: 'courier' } })).toEqual(anew);
  expect(isTheSame(openedWith(), { later: hour })).toEqual(anew);
  expect(isTheSame(openedWith(), { later: -1 })).toEqual(anew);
});

describe('the filter of a long list', () => {
  const long = Array.from({ length: 6_000 }, (_, index) => aParcel({ id: `many-${index}`, label: `Order ${index}` }));

  /** How many parcels the first frame lists with a filter. */
  function listedAtFirst(listed: readonly Parcel[], focus: 'filter' | 'list'): number {
    let count = 0;
    const kept = new KeptList();
    function Drawing() {
      const opened = openedState(servicesOf());
      const ui = { ...opened, focus, filter: { ...opened.filter, text: 'order 4711' } };
      const usual = kept.usual(listed);
      count = useList(listed, ui, () => undefined, { now, usual, zone: berlin }, kept).arrangement.order.length;
      return <Text>{count}</Text>;
    }
    drawn(<Drawing />);
    return count;
  }

  it('waits while it is typed until its texts have been put together, behind the frame with the letter', () => {
    expect(listedAtFirst(long, 'filter')).toBe(6_000);
    expect(listedAtFirst(long.slice(0, 4_800), 'filter')).toBe(1);
  });

  it('holds at once when its field is left: keys are for what it lists', () => {
    expect(listedAtFirst(long, 'list')).toBe(1);
  });
});
