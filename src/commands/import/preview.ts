import { createParcelFinder } from '../../board/scan/judge-rows.ts';
import { printTable, type TableColumn } from '../../lib/table.ts';
import { identityKey } from '../../parcels/identity.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { NewParcel } from '../../parcels/parcel-factory.ts';
import { readNumbers } from '../../settings/session/open-stores.ts';
import { printNote } from '../../settings/session/output.ts';
import type { Session } from '../../settings/session/session.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import { type Additions, reportSkipped, warnAboutCheckDigits } from '../check-entries.ts';
import { additionCost, priceText } from '../register.ts';
import { type JsonOption, type Outcome, Results } from '../results.ts';

const stateTexts = {
  'to archive': 'to be archived',
  archived: 'to be restored',
  rejected: 'rejected before, to be retried',
  watched: 'already on the list',
  twice: 'listed twice',
} as const;

/** The `result` of each state in JSON. */
const outcomes: Readonly<Record<ImportState, Outcome>> = {
  ...{ new: 'new', 'to archive': 'new', archived: 'archived' },
  ...{ rejected: 'rejected', watched: 'known', twice: 'known' },
};

type ImportState = 'new' | keyof typeof stateTexts;

const columns: readonly TableColumn[] = [
  { title: 'STATE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'COURIER', yields: 1 },
  { title: 'LABEL', yields: 2, maxWidth: 40 },
];

export async function showImport(
  session: Session,
  { skipped, parcels }: Additions,
  options: JsonOption,
): Promise<ExitCode> {
  const { context } = session;
  const results = new Results(session, options);
  const watched = await readNumbers(session, parcels);
  warnAboutCheckDigits(session, parcels, watched);
  reportSkipped(results, skipped);
  const find = createParcelFinder(watched);
  const seen = new Set<string>();
  const rows = parcels.map((parcel) => {
    const state = importState(parcel, find(parcel), seen);
    seen.add(identityKey(parcel));
    return { parcel, state };
  });
  const cells = rows.map(({ parcel: { courierCode, label, trackNo }, state }) => {
    const style = willBeAdded(state) ? { bold: true } : { dim: true };
    return [{ text: state, ...style }, { text: trackNo, ...style }, { text: courierCode ?? '' }, { text: label ?? '' }];
  });
  for (const { parcel, state } of rows) results.record(parcel, outcomes[state], state);
  if (cells.length > 0 && !results.isJson) printTable(session, { columns, rows: cells });
  results.end(null);
  const cost = additionCost(session, parcels, watched);
  const count = (state: ImportState): number => rows.filter((row) => row.state === state).length;
  const others = (Object.keys(stateTexts) as (keyof typeof stateTexts)[]).flatMap((state) =>
    count(state) === 0 ? [] : [`, ${count(state)} ${stateTexts[state]}`],
  );
  printNote(
    context,
    `${count('new')} to be added${await priceText(session, cost)}${others.join('')}, ${skipped.length} unusable; nothing was changed.`,
  );
  return skipped.length > 0 ? exitCode.rejected : exitCode.done;
}

const willBeAdded = (state: ImportState): boolean => state !== 'watched' && state !== 'twice';

function importState(parcel: NewParcel, known: Parcel | null, seen: ReadonlySet<string>): ImportState {
  if (seen.has(identityKey(parcel))) return 'twice';
  if (known === null) return parcel.archivedAt === undefined ? 'new' : 'to archive';
  if (known.archivedAt !== null) return 'archived';
  return known.registration === 'rejected' ? 'rejected' : 'watched';
}
