import { inTime } from '../../service/clock/clock.ts';
import type { Courier } from '../../service/record/record.ts';
import type { LoadedCouriers } from '../picker/couriers.ts';
import type { BoardServices } from '../services.ts';

/** How long the list of couriers is waited for, in milliseconds: without it couriers have the names that are usual. */
const couriersPatienceMs = 2000;

/** Where couriers come from. */
interface CouriersSource extends Pick<BoardServices, 'clock' | 'couriers'> {
  readonly courierList: LoadedCouriers;
}

/** The couriers as far as they are there soon; none are no reason not to look for numbers. */
export async function couriersSoon({ clock, courierList, couriers }: CouriersSource): Promise<readonly Courier[]> {
  if (courierList.status === 'ready') return courierList.couriers;
  const listed = couriers.list().then(
    (list) => list.couriers,
    // Why there are none is said where a courier is chosen.
    () => [],
  );
  return (await inTime(clock, couriersPatienceMs, listed)) ?? [];
}
