import { courierPages } from '../board/courier-name.ts';
import { withoutGroupHyphens } from '../board/input/number-words.ts';
import { recordLines } from '../board/parcel-facts.ts';
import { showJson } from '../board/parcel-json.ts';
import { type TimeMode, timeModeTitle } from '../board/time/checkpoint-time.ts';
import { timelineLines } from '../board/timeline.ts';
import { timelineHead } from '../board/timeline-head.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { Line } from '../lib/paint.ts';
import { toStoreError } from '../lib/store-errors.ts';
import { Zone } from '../lib/zone.ts';
import { mergeRecord } from '../parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';
import { newParcel } from '../parcels/parcel-factory.ts';
import { mayBeQuiet, noUsualStillness, type UsualStillness, usualStillness } from '../parcels/stillness.ts';
import { explainedRejection } from '../polling/answers.ts';
import type { GateTrouble } from '../polling/gate/call-rules.ts';
import type { InstantItem } from '../service/record.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import { NotWatchedError, UsageError } from '../settings/errors.ts';
import { readLanguage } from '../settings/language.ts';
import { readCourierCode, readPhoneSuffix, readPostalCode } from '../settings/parcel-fields.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { openCore } from '../settings/session/core.ts';
import { readCircumstances, readNumbers } from '../settings/session/open-stores.ts';
import { openService } from '../settings/session/service.ts';
import { type Session, say } from '../settings/session/session.ts';
import { namedZone } from '../settings/usable-values.ts';
import type { WatchlistStore } from '../store/store.ts';
import { historyFormat } from '../store/watchlist-format.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { warnOfNeeds } from './cost.ts';
import { openCourierNames, requireCourier } from './courier-lookup.ts';
import {
  namedParcels,
  oneParcelNamed,
  type ParcelName,
  parcelsNamed,
  readParcelName,
  refuseBlank,
} from './find-parcel.ts';

export interface ShowOptions {
  readonly json?: boolean;
  /** `event`, `utc`, `local` or an IANA zone; `event` when left out. */
  readonly zone?: string;
  readonly courier?: string;
  /** The number need not be watched, and nothing is stored. */
  readonly instant?: boolean;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  /** Only with `instant`; empty for no translation. */
  readonly lang?: string;
  /** Only with `instant`. */
  readonly beyondBudget?: boolean;
}

export interface ShownParcel {
  readonly parcel: Parcel;
  readonly history: ParcelHistory;
  readonly serviceClock: ServiceClock;
  readonly isPaused: boolean;
  readonly usual: UsualStillness;
  /** On the clock that all users of the watchlist share. */
  readonly now: EpochMs;
  readonly watched: boolean;
}

/**
 * Costs one tracking quota. Stores nothing. Returns null when the service rejects the number. Throws a `ServiceError`,
 * a `BudgetSpentError` before the call, and a `UsageError` when the number is watched under several couriers.
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
  // A failure to count the cost must not lose the answer.
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
  const usual = await usualOf(store, merged.parcel, now);
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

/** Without a record, so that only the courier's answer is shown. */
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

function sayOnce(context: CommandContext): (source: GateTrouble, error: unknown) => void {
  const said = new Set<string>();
  return (source, error) => {
    if (error === null || !source.startsWith('meter')) return;
    const { message } = toStoreError(error, 'the query meter');
    if (!said.has(message)) say(context, message);
    said.add(message);
  };
}

/** In cells; used where the output has no width. */
const usualWidth = 100;
const widest = 120;

/** Reads the files only, unless `--instant` queries the courier. */
export async function runShow(
  session: Session,
  options: ShowOptions,
  [number = '']: readonly string[],
): Promise<ExitCode> {
  refuseBlank([number]);
  // An unknown zone is reported before any call is paid for.
  const clock = clockOfTimeline(options.zone ?? 'event', session.configuration.zone());
  if (options.instant === true) {
    const shown = await queryInstantly(session, number, options);
    if (shown === null) return exitCode.rejected;
    print(session, shown, options, clock);
    return exitCode.done;
  }
  if (options.postalCode !== undefined || options.phoneSuffix !== undefined) {
    throw new UsageError('--postal-code and --phone-suffix go with --instant; "parcel-monitor edit" keeps them.');
  }
  if (options.lang !== undefined) {
    throw new UsageError('--lang goes with --instant: only an instant answer brings translations.');
  }
  if (options.beyondBudget === true) {
    throw new UsageError('--beyond-budget goes with --instant: without it, "show" reads the files only.');
  }
  await using core = await openCore(session, null, {
    named: namedParcels([number], options.courier ?? null),
    purpose: 'read',
  });
  const { parcels, polling, serviceClock } = core.monitor.getState();
  const parcel = oneParcelNamed(parcels, number, options.courier ?? null);
  const history = await core.monitor.history(parcel.id);
  const now = core.stores.clock.now();
  const usual = options.json === true ? noUsualStillness : await usualOf(core.stores.store, parcel, now);
  const shown = { parcel, history, serviceClock, isPaused: polling.paused, watched: true, usual, now };
  print(session, shown, options, clock);
  return exitCode.done;
}

async function usualOf(store: WatchlistStore, parcel: Parcel, now: EpochMs): Promise<UsualStillness> {
  return mayBeQuiet(parcel, now) ? usualStillness((await store.read()).parcels) : noUsualStillness;
}

interface TimelineClock {
  readonly mode: TimeMode;
  readonly viewerZone: Zone;
}

function print(
  { context, style }: Session,
  { parcel, history, serviceClock, isPaused, now, usual, watched }: ShownParcel,
  { json = false }: Pick<ShowOptions, 'json'>,
  clock: TimelineClock,
): void {
  if (json) {
    context.stdout.write(`${JSON.stringify(showJson(parcel, history, { serviceClock, now, isPaused }), null, 2)}\n`);
    return;
  }
  const width = Math.min(context.stdout.columns ?? usualWidth, widest);
  const label: Line[] = parcel.label === null ? [] : [[{ text: parcel.label, bold: true }]];
  const pause = isPaused ? 'paused' : null;
  const head = timelineHead({
    parcel,
    now,
    zone: clock.viewerZone,
    mode: clock.mode,
    width,
    checking: false,
    pause,
    watched,
    usual,
  });
  const timeline = timelineLines({ checkpoints: history.checkpoints, ...clock, width, now });
  const record = recordLines(parcel, history.received, width);
  const title: Line = [{ text: timeModeTitle(clock.mode, clock.viewerZone), dim: true }];
  const lines = [
    ...label,
    ...head,
    ...pageLines(parcel),
    [],
    ...(timeline.length === 0 ? [[{ text: 'No events yet.' }]] : [title, ...timeline]),
    ...(record.length === 0 ? [] : [[], ...record]),
  ];
  context.stdout.write(lines.map((line) => `${line.map(style.paint).join('').trimEnd()}\n`).join(''));
}

/** Never shortened, so that they can be copied. */
function pageLines(parcel: Parcel): Line[] {
  return courierPages(parcel).map((page) => [{ text: page, dim: true }]);
}

/** Throws a `UsageError` for an unknown zone. */
function clockOfTimeline(zone: string, viewerZone: string): TimelineClock {
  if (zone === 'event' || zone === 'utc') return { mode: zone, viewerZone: new Zone(viewerZone) };
  return { mode: 'local', viewerZone: new Zone(namedZone(zone, () => viewerZone)) };
}
