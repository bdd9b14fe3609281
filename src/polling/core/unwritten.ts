import { StoreError } from '../../watchlist/errors.ts';
import type { ParcelDifference } from '../../watchlist/model/parcel-differences.ts';

/** Numbers that are named; of more the count is given. */
const mostNamed = 20;

/** The program ends and what the user entered could not be written: the message names it, so that it can be entered again. */
export class UnwrittenChangesError extends StoreError {
  constructor(cause: StoreError, entered: string) {
    super(cause.kind, `${cause.message} Not written: ${entered}.`, cause.path, cause);
  }
}

/** What the user entered among the differences, e.g. `added RB1CN, RB2CN; removed RB3CN`; null when that is nothing. */
export function enteredWords(differences: readonly ParcelDifference[]): string | null {
  const named = (verb: string, isMeant: (difference: ParcelDifference) => boolean): string[] => {
    const numbers = differences.filter(isMeant).map(({ before, after }) => (after ?? before)?.trackNo ?? '');
    if (numbers.length === 0) return [];
    const more = numbers.length > mostNamed ? ` and ${numbers.length - mostNamed} more` : '';
    return [`${verb} ${numbers.slice(0, mostNamed).join(', ')}${more}`];
  };
  const words = [
    ...named('added', ({ before }) => before === null),
    ...named('removed', ({ after }) => after === null),
    ...named('changed', isEdited),
  ];
  return words.length === 0 ? null : words.join('; ');
}

/** Whether the user changed a parcel; what the service said of it can be queried again. */
function isEdited({ before, after }: ParcelDifference): boolean {
  if (before === null || after === null) return false;
  return (
    before.label !== after.label ||
    before.archivedAt !== after.archivedAt ||
    before.extras.postalCode !== after.extras.postalCode ||
    before.extras.phoneSuffix !== after.extras.phoneSuffix ||
    (after.courierPinned && before.courierCode !== after.courierCode)
  );
}
