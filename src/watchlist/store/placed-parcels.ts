import type { JsonDocument } from '../document/json-document.ts';
import { nullIfMissing } from '../errors.ts';
import { fileMark } from '../files/file-mark.ts';
import { readWholeFile } from '../files/open-file.ts';
import type { Parcel, Watchlist } from '../model/parcel.ts';
import { linePlaces } from './watchlist-text.ts';

/** Parcels, and where their lines stand in the file. */
export interface PlacedParcels {
  /** See `fileMark`. */
  readonly mark: string;
  readonly parcels: readonly Parcel[];
  /** Where the line of each begins, in bytes. */
  readonly places: readonly number[];
}

/**
 * What is known of the index as it is, with the places of the lines; null where it was written meanwhile, or in another layout.
 * Rejects with a `StoreError`, else what the system throws.
 */
export async function placedParcels(index: Pick<JsonDocument<Watchlist>, 'recall'>): Promise<PlacedParcels | null> {
  const known = await index.recall();
  if (known === null) return null;
  const { mark, path } = known;
  const bytes = await nullIfMissing(readWholeFile(path));
  const places = bytes === null ? null : linePlaces(bytes);
  const { parcels } = known.data;
  if (places?.length !== parcels.length || (await fileMark(path)) !== mark) return null;
  return { mark, parcels, places };
}
