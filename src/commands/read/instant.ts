import { withoutGroupHyphens } from '../../board/input/number-words.ts';
import { explainedRejection } from '../../polling/answers/explained-rejection.ts';
import type { GateTrouble } from '../../polling/gate/gate-listener.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { InstantItem } from '../../service/record/record.ts';
import { toStoreError } from '../../watchlist/errors.ts';
import { mergeRecord } from '../../watchlist/merge/merge.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { newParcel } from '../../watchlist/model/parcel-factory.ts';
import { historyFormat } from '../../watchlist/store/formats.ts';
import { usualBeside } from '../../watchlist/store/usual-beside.ts';
import { openCourierNames, requireCourier } from '../input/courier-lookup.ts';
import { type ParcelName, parcelsNamed, readParcelName } from '../input/find-parcel.ts';
import { readLanguage } from '../input/language.ts';
import { warnOfNeeds } from '../input/missing-extras.ts';
import { readCourierCode, readPhoneSuffix, readPostalCode } from '../input/parcel-fields.ts';
import type { CommandContext } from '../session/context.ts';
import { NotWatchedError, UsageError } from '../session/errors.ts';
import { openService } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';
import { readCircumstances, readNumbers } from '../session/stores.ts';
import type { ShownParcel, ShowOptions } from './shown-parcel.ts';

/**
 * Queries the courier of a number now and answers what is to be printed; null when the service rejects the number, which
 * standard error says. What is known of a watched parcel (courier, extras, label) is used; nothing is stored. Costs one
 * tracking quota, which the budget of registrations has to cover. Rejects with a `ServiceError`, with a `BudgetSpentError`
 * before anything is sent, and with a `UsageError` when the number is watched under several couriers.
 */
export async function queryInstantly(
  session: Session,
  number: string,
  options: ShowOptions,
): Promise<ShownParcel | null> {
  const { context } = session;
  const given = readParcelName(number, options.courier ?? null);
  if (!given.ok) throw new NotWatchedError(given.message);
  const { courierCode: courier } = given.name;
  const names = await openCourierNames(session, [courier]);
  const name = { ...given.name, courierCode: courier === null ? null : names.meant(courier) };
  const lang = options.lang === undefined ? session.configuration.lang : readLanguage(options.lang);
  const { isPaused, now, serviceClock } = await readCircumstances(session);
  const parcels = await readNumbers(session, [
    { trackNo: name.trackNo },
    { trackNo: withoutGroupHyphens(name.trackNo) },
  ]);
  const watched = watchedAs(parcels, name);
  const parcel = parcelToQuery(session, name, watched, { ...options, now });
  if (watched === null) await requireCourier(session, parcel.courierCode, names.list === undefined ? undefined : names);
  const service = await openService(session);
  warnOfNeeds(session, [parcel]);
  const { trackNo, courierCode, extras } = parcel;
  const item: InstantItem = { trackNo, courierCode, ...extras, ...(lang === null ? {} : { lang }) };
  // A meter that fails costs no answer.
  service.gate.listen({ onTrouble: sayOnce(context) });
  const answer = await service.instant(item, context.signal, {
    beyondBudget: options.beyondBudget === true,
    onAdmitted: () => say(context, 'Querying the courier now; this costs one tracking quota.'),
  });
  if (answer.kind === 'rejected') {
    const commandWith = (code: string): string => `parcel-monitor show ${trackNo} --instant --courier ${code}`;
    const { message } = await explainedRejection(answer.rejection, { trackNo, courierCode }, commandWith);
    say(context, `${trackNo} was rejected: ${message}`);
    return null;
  }
  const merged = mergeRecord(parcel, historyFormat.empty, answer.record, now);
  const { store } = await session.stores();
  const usual = await usualBeside(store, merged.parcel, now);
  const { history, parcel: shown } = merged;
  return { parcel: shown, history, serviceClock, isPaused, usual, watched: watched !== null, now };
}

function watchedAs(parcels: readonly Parcel[], name: ParcelName): Parcel | null {
  const [parcel, ...others] = parcelsNamed(parcels, name);
  if (others.length > 0) {
    throw new UsageError(`${name.trackNo} is watched under several couriers; name one with --courier.`);
  }
  return parcel ?? null;
}

/** The parcel that stands for the question: without any record, so that only the courier's answer is shown. */
function parcelToQuery(
  { context, configuration }: Session,
  name: ParcelName,
  watched: Parcel | null,
  options: ShowOptions & { readonly now: EpochMs },
): Parcel {
  const courierCode = readCourierCode(name.courierCode ?? '') ?? watched?.courierCode ?? null;
  const known = courierCode === null ? {} : configuration.courierExtras(courierCode);
  const draft = {
    trackNo: name.trackNo,
    courierCode,
    label: watched?.label ?? null,
    postalCode: readPostalCode(options.postalCode ?? '') ?? watched?.extras.postalCode ?? known.postalCode ?? null,
    phoneSuffix: readPhoneSuffix(options.phoneSuffix ?? '') ?? watched?.extras.phoneSuffix ?? known.phoneSuffix ?? null,
  };
  const fresh = newParcel(draft, options.now, context.random);
  return watched === null
    ? { ...fresh, nextPollAt: null }
    : {
        ...watched,
        extras: fresh.extras,
        record: null,
        lastEvent: null,
        checkpointCount: 0,
        checkedAt: null,
        error: null,
      };
}

/** Reports each problem once. */
function sayOnce(context: CommandContext): (source: GateTrouble, error: unknown) => void {
  const said = new Set<string>();
  return (source, error) => {
    if (error === null || !source.startsWith('meter')) return;
    const { message } = toStoreError(error, 'the query meter');
    if (!said.has(message)) say(context, message);
    said.add(message);
  };
}
