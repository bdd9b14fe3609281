import type { Monitor } from '../../polling/core/state.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { differences } from '../../watchlist/model/parcel-differences.ts';
import { newParcel } from '../../watchlist/model/parcel-factory.ts';
import { ParcelPositions } from '../../watchlist/model/parcel-positions.ts';
import type { TrashedParcel } from '../../watchlist/store/trash.ts';
import type { CommandContext } from '../session/context.ts';

/** Knows the parcels that lines of the change log are about, also those that have been removed since. */
export class ConcernedParcels {
  readonly #monitor: Monitor;
  readonly #context: Pick<CommandContext, 'random'>;
  readonly #positions = new ParcelPositions();
  readonly #removed = new Map<string, Parcel>();
  readonly #unsubscribe: () => void;

  constructor(monitor: Monitor, context: Pick<CommandContext, 'random'>) {
    this.#monitor = monitor;
    this.#context = context;
    let shown = monitor.getState().parcels;
    this.#unsubscribe = monitor.subscribe(() => {
      const { parcels } = monitor.getState();
      for (const { before, after } of differences(shown, parcels)) {
        if (before !== null && after === null) this.#removed.set(before.id, before);
      }
      shown = parcels;
    });
  }

  /** The parcel after a change; before it, when it was removed. Of one that is long gone only what the line says. */
  parcelOf(change: Change): Parcel {
    const { parcelId } = change;
    const watched = this.#positions.find(this.#monitor.getState().parcels, parcelId);
    return watched ?? this.#removed.get(parcelId) ?? this.#parcelInWords(change);
  }

  /** Looks for parcels of earlier lines that are not watched any more; `trashed` is called where there are such. */
  async lookIntoTrash(changes: readonly Change[], trashed: () => Promise<readonly TrashedParcel[]>): Promise<void> {
    const watched = new Set(this.#monitor.getState().parcels.map(({ id }) => id));
    const gone = new Set(changes.map(({ parcelId }) => parcelId).filter((id) => !watched.has(id)));
    if (gone.size === 0) return;
    for (const { parcel } of await trashed()) if (gone.has(parcel.id)) this.#removed.set(parcel.id, parcel);
  }

  /** Ends the following of what is removed. */
  close(): void {
    this.#unsubscribe();
  }

  #parcelInWords({ courierCode, label, noticedAt, parcelId, trackNo }: Change): Parcel {
    const draft = { trackNo, courierCode, label, postalCode: null, phoneSuffix: null };
    return { ...newParcel(draft, Date.parse(noticedAt), this.#context.random), id: parcelId };
  }
}
