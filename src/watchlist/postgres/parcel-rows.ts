import { createHash } from 'node:crypto';
import { foldNumber } from '../../service/text/same-number.ts';
import { parseJson } from '../document/document-format.ts';
import { packLight, readLight } from '../model/light-parcel.ts';
import type { Parcel } from '../model/parcel.ts';
import { readParcel } from '../model/read-parcel.ts';
import { waitsUntil } from '../rules/waiting.ts';

/** Longer numbers than this are no numbers of couriers, and too long for an index. */
const longestKey = 200;

/** How many parcels one write may put behind the others. */
export const mostInWrite = 2 ** 20;

/** The form of a number by which equal ones are found in an index; others may share it, if they are very long. */
export function numberKey(trackNo: string): string {
  const folded = foldNumber(trackNo).toWellFormed().replaceAll('\0', '');
  if (folded.length <= longestKey) return folded;
  return `sha256:${createHash('sha256').update(folded).digest('hex')}`;
}

/** Where a parcel that is new with a revision stands in the list: behind all older ones. */
export const positionOf = (revision: number, index: number): number => revision * mostInWrite + index;

/**
 * Of rows of the trash: not for a parcel of which nothing could be used, which leaves nothing there but word for followers that it is
 * gone.
 */
export const isNoTombstone = "body::text <> 'null'";

/** A parcel as its row holds it. */
export interface WrittenParcel {
  readonly id: string;
  readonly numberKey: string;
  /** When it is due, in milliseconds; null when it has left the queue. */
  readonly dueAt: number | null;
  readonly light: string;
  readonly body: string;
}

/** The row of a parcel, but for its place. */
export function rowOf(parcel: Parcel): WrittenParcel {
  return {
    id: parcel.id,
    numberKey: numberKey(parcel.trackNo),
    dueAt: waitsUntil(parcel),
    light: lightText(parcel),
    body: JSON.stringify(parcel),
  };
}

/** What a row holds of a parcel beside the whole one. */
export const lightText = (parcel: Parcel): string => JSON.stringify(packLight(parcel));

/** The parcel of a row's body; null for one that cannot be used, which somebody else must have written. */
export function parcelOf(id: string, body: string): Parcel | null {
  const { parcel } = readParcel(parseJson(body));
  return parcel?.id === id ? parcel : null;
}

/** The light parcel of a row; null for one that cannot be used. */
export const lightParcelOf = (id: string, light: string): Parcel | null => readLight(id, parseJson(light), light);
