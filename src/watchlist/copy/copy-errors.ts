import { cleanText } from '../../service/text/clean-text.ts';
import { StoreError } from '../errors.ts';

/** Something else is there already. */
export function occupied(place: string, copiedFrom: string | null): StoreError {
  const what =
    copiedFrom === null
      ? `${place} holds a watchlist already, and copying never mixes two.`
      : `${place} holds a part of a copy of ${cleanText(copiedFrom)}. Finish that first, or remove it.`;
  return new StoreError('failed', `${what} Copy to an empty place.`, place);
}

/** Two copies at once would write into each other. */
export function anotherCopy(place: string): StoreError {
  return new StoreError(
    'locked',
    `Another copy to ${place} goes on just now. Wait for its end; if it is interrupted, copy again, and it goes on from there.`,
    place,
  );
}

/** Whoever was held up for long counted as gone. */
export function takenOver(place: string): StoreError {
  return new StoreError(
    'locked',
    `Another copy to ${place} was begun while this one stood still, and goes on in its place. Wait for its end.`,
    place,
  );
}
