import { createFindKnown } from '../../board/scan/judge-rows.ts';
import { registrationCost } from '../../polling/gate/call-cost.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { identityKey } from '../../watchlist/model/identity.ts';
import type { NewParcel } from '../../watchlist/model/parcel-factory.ts';
import { renderTable, type TableColumn } from '../output/table.ts';
import { type Session, say } from '../session/session.ts';
import { readNumbers } from '../session/stores.ts';
import { batchLimitsOf, registrationsFor } from '../write/additions.ts';
import { budgetWords } from '../write/budget-words.ts';
import { costText } from '../write/cost.ts';
import { type Additions, reportComplaints, warnOfCheckDigits } from '../write/given-parcels.ts';

/** What a parcel of a file is to the watchlist; `to archive` is new and goes there at once. */
type ImportState = 'new' | 'to archive' | 'watched' | 'archived' | 'rejected' | 'twice';

const columns: readonly TableColumn[] = [
  { title: 'STATE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'COURIER', yields: 1 },
  { title: 'LABEL', yields: 2, most: 40 },
];

/** Prints what would be added, how it stands to the watchlist and what it costs; standard error names what cannot be. */
export async function showImport(session: Session, { left, parcels }: Additions): Promise<ExitCode> {
  const { context, style } = session;
  reportComplaints(session, left);
  warnOfCheckDigits(session, parcels);
  const watched = await readNumbers(session, parcels);
  const find = createFindKnown(watched);
  const above = new Set<string>();
  const rows = parcels.map((parcel) => {
    const state = stateOf(parcel, find(parcel), above);
    above.add(identityKey(parcel));
    return { parcel, state };
  });
  const cells = rows.map(({ parcel: { courierCode, label, trackNo }, state }) => {
    const look = isAdded(state) ? { bold: true } : { dim: true };
    return [{ text: state, ...look }, { text: trackNo, ...look }, { text: courierCode ?? '' }, { text: label ?? '' }];
  });
  if (cells.length > 0)
    context.stdout.write(renderTable({ columns, rows: cells }, context.stdout.columns, style.paint));
  const cost = registrationCost(registrationsFor(parcels, watched), batchLimitsOf(session));
  const price = cost.registrations === 0 ? '' : ` (${costText(cost)}${await budgetWords(session)})`;
  const count = (state: ImportState): number => rows.filter((row) => row.state === state).length;
  const parts: readonly (readonly [count: number, words: string])[] = [
    [count('to archive'), 'to go into the archive'],
    [count('archived'), 'in the archive, to be watched again'],
    [count('rejected'), 'rejected before, to be tried again'],
    [count('watched'), 'watched already'],
    [count('twice'), 'named twice'],
  ];
  const others = parts.filter(([number]) => number > 0).map(([number, words]) => `, ${number} ${words}`);
  say(
    context,
    `${count('new')} to be added${price}${others.join('')}, ${left.length} not usable; nothing was changed.`,
  );
  return left.length > 0 ? exitCode.rejected : exitCode.done;
}

const isAdded = (state: ImportState): boolean => state !== 'watched' && state !== 'twice';

function stateOf(
  parcel: NewParcel,
  known: ReturnType<ReturnType<typeof createFindKnown>>,
  above: ReadonlySet<string>,
): ImportState {
  if (above.has(identityKey(parcel))) return 'twice';
  if (known === null) return parcel.archivedAt === undefined ? 'new' : 'to archive';
  if (known.archivedAt !== null) return 'archived';
  return known.registration === 'rejected' ? 'rejected' : 'watched';
}
