import { withoutGroupHyphens } from '../board/input/add-input.ts';
import { nextStep } from '../board/next-step.ts';
import { courierPages } from '../board/parcel-facts.ts';
import { showJson } from '../board/parcel-json.ts';
import { recordLines } from '../board/record-facts.ts';
import { createForecasts, type Forecasts, forecastText, openJourney } from '../board/status/forecast.ts';
import { type TimeMode, timeModeTitle } from '../board/time.ts';
import { timelineLines } from '../board/timeline.ts';
import { timelineHead, titleLines } from '../board/timeline-head.ts';
import type { EpochMs } from '../lib/clock.ts';
import { Zone } from '../lib/date-time.ts';
import type { Line } from '../lib/paint.ts';
import { toStoreError } from '../lib/store-errors.ts';
import { mergeRecord } from '../parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';
import { newParcel } from '../parcels/parcel-factory.ts';
import { mayBeQuiet, type UsualStillness, usualStillness } from '../parcels/usual-times.ts';
import type { GateProblem } from '../polling/gate/call-rules.ts';
import { explainRejection } from '../polling/match-responses.ts';
import type { InstantItem } from '../service/port.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import { NotWatchedError, UsageError } from '../settings/errors.ts';
import { readCourierCode, readPhoneSuffix, readPostalCode } from '../settings/parcel-fields.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { openCore } from '../settings/session/core.ts';
import { readNumbers, readPrintContext } from '../settings/session/open-stores.ts';
import { printJson, printNote } from '../settings/session/output.ts';
import { openService } from '../settings/session/service.ts';
import { type Session, type Stores, zoneOf } from '../settings/session/session.ts';
import { readLanguage, resolveZoneName } from '../settings/usable-values.ts';
import { historyFormat } from '../store/file/formats.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { openCouriers, requireCourier } from './couriers.ts';
import { warnOfMissingExtras } from './register.ts';
import {
  assertNotBlank,
  findByName,
  findOneParcel,
  type ParcelName,
  parseParcelNames,
  readParcelName,
} from './select-parcels.ts';

interface ShowOptions {
  readonly json?: boolean;
  readonly zone?: string;
  readonly courier?: string;
  readonly instant?: boolean;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  readonly lang?: string;
  readonly beyondBudget?: boolean;
}

interface ParcelView {
  readonly parcel: Parcel;
  readonly history: ParcelHistory;
  readonly serviceClock: ServiceClock;
  readonly isPaused: boolean;
  readonly usual: UsualStillness;
  readonly forecast: Forecasts;
  /** On the clock that all users of the watchlist share. */
  readonly now: EpochMs;
  readonly watched: boolean;
}

/** Only reads the store, unless `--instant` calls the service. */
export async function runShow(
  session: Session,
  options: ShowOptions,
  [number = '']: readonly string[],
): Promise<ExitCode> {
  assertNotBlank([number]);
  const clock = parseTimelineClock(options.zone ?? 'event', session.configuration.zone());
  const view =
    options.instant === true
      ? await queryInstantly(session, number, options)
      : await readParcelView(session, number, options);
  if (view === null) return exitCode.rejected;
  printParcel(session, view, options, clock);
  return exitCode.done;
}

/** The error messages for options that require `--instant`. */
const instantOnly = {
  postalCode: '--postal-code requires --instant. To save a postal code, use "parcel-monitor edit".',
  phoneSuffix: '--phone-suffix requires --instant. To save phone digits, use "parcel-monitor edit".',
  lang: '--lang requires --instant, because only live lookups return translations.',
  beyondBudget: '--beyond-budget requires --instant, because "show" alone does not call the service.',
} as const;

async function readParcelView(session: Session, number: string, options: ShowOptions): Promise<ParcelView> {
  for (const [name, message] of Object.entries(instantOnly))
    if (options[name as keyof typeof instantOnly] !== undefined) throw new UsageError(message);
  const courier = options.courier ?? null;
  await using core = await openCore(session, null, { named: parseParcelNames([number], courier), purpose: 'read' });
  const { parcels, polling, serviceClock } = core.monitor.getState();
  const parcel = findOneParcel(parcels, number, courier);
  const history = await core.monitor.history(parcel.id);
  const now = core.stores.clock.now();
  const usual = await readUsualTimes(session, core.stores, parcel, { now, json: options.json });
  return { parcel, history, serviceClock, isPaused: polling.paused, watched: true, ...usual, now };
}

/**
 * Costs one registration and saves nothing. Returns null if the service rejects the number. Throws a `ServiceError`, a
 * `BudgetSpentError` if the budget does not allow the call, or a `UsageError` if several couriers have the number.
 */
async function queryInstantly(session: Session, number: string, options: ShowOptions): Promise<ParcelView | null> {
  const { configuration, context } = session;
  const reading = readParcelName(number, options.courier ?? null);
  if (!reading.ok) throw new NotWatchedError(reading.message);
  const { courierCode: courier } = reading.name;
  const couriers = await openCouriers(session, [courier]);
  const name = { ...reading.name, courierCode: courier === null ? null : couriers.resolve(courier) };
  const lang = options.lang === undefined ? configuration.lang : readLanguage(options.lang);
  const { isPaused, now, serviceClock } = await readPrintContext(session);
  const numbers = [{ trackNo: name.trackNo }, { trackNo: withoutGroupHyphens(name.trackNo) }];
  const [watched = null, ...others] = findByName(await readNumbers(session, numbers), name);
  if (others.length > 0) throw new UsageError(`Several couriers have ${name.trackNo}. Choose one with --courier.`);
  const parcel = parcelToQuery(session, name, watched, { ...options, now });
  if (watched === null) requireCourier(couriers, parcel.courierCode);
  const service = await openService(session);
  warnOfMissingExtras(session, [parcel]);
  const { trackNo, courierCode, extras } = parcel;
  const item: InstantItem = { trackNo, courierCode, ...extras, ...(lang === null ? {} : { lang }) };
  // If the call cannot be counted, that is only reported, so that the response is not lost.
  service.gate.listen({ onProblem: reportOnce(context) });
  const response = await service.instant(item, context.signal, {
    beyondBudget: options.beyondBudget === true,
    onAdmitted: () => printNote(context, `Looking up ${trackNo} live. This costs one registration.`),
  });
  if (response.kind === 'rejected') {
    const commandWith = (code: string): string => `parcel-monitor show ${trackNo} --instant --courier ${code}`;
    const { message } = await explainRejection(response.rejection, { trackNo, courierCode }, commandWith);
    printNote(context, `${trackNo} was rejected: ${message}`);
    return null;
  }
  const { history, parcel: mergedParcel } = mergeRecord(parcel, historyFormat.empty, response.record, now);
  const usual = await readUsualTimes(session, await session.stores(), mergedParcel, { now, json: options.json });
  return { parcel: mergedParcel, history, serviceClock, isPaused, ...usual, watched: watched !== null, now };
}

/** Returns the parcel without its saved record, so that only the new response is shown. */
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
  if (watched === null) return { ...fresh, nextPollAt: null };
  const { checkedAt, checkpointCount, error, extras, lastEvent, record } = fresh;
  return { ...watched, checkedAt, checkpointCount, error, extras, lastEvent, record };
}

function reportOnce(context: CommandContext): (source: GateProblem, error: unknown) => void {
  const printed = new Set<string>();
  return (source, error) => {
    if (error === null || !source.startsWith('meter')) return;
    const { message } = toStoreError(error, 'the query meter');
    if (!printed.has(message)) printNote(context, message);
    printed.add(message);
  };
}

/** Derives the usual waiting times and a forecast from all parcels, which are read only if they are needed. */
async function readUsualTimes(
  session: Session,
  { store }: Pick<Stores, 'store'>,
  parcel: Parcel,
  { json, now }: { readonly json: boolean | undefined; readonly now: EpochMs },
): Promise<Pick<ParcelView, 'forecast' | 'usual'>> {
  const isNeeded = openJourney(parcel) !== null || (json !== true && mayBeQuiet(parcel, now));
  const parcels = isNeeded ? (await store.read()).parcels : [];
  return { usual: usualStillness(parcels), forecast: createForecasts(parcels, { now, zone: zoneOf(session) }) };
}

interface TimelineClock {
  readonly mode: TimeMode;
  readonly viewerZone: Zone;
}

/** In cells. Used if the width of the output is unknown. */
const defaultWidth = 100;
const maxWidth = 120;

function printParcel(
  { context, style }: Session,
  view: ParcelView,
  { json = false }: Pick<ShowOptions, 'json'>,
  clock: TimelineClock,
): void {
  const { parcel, history, serviceClock, isPaused, forecast, now } = view;
  if (json) {
    printJson(context, showJson(parcel, history, { serviceClock, now, isPaused, forecast }));
    return;
  }
  const { mode, viewerZone: zone } = clock;
  const width = Math.min(context.stdout.columns ?? defaultWidth, maxWidth);
  const pause = isPaused ? 'paused' : null;
  const step = nextStep(parcel, { ...view, zone });
  const { lastMile } = parcel.record ?? {};
  const timeline = timelineLines({ checkpoints: history.checkpoints, ...clock, width, now, step, lastMile });
  const days = forecast(parcel);
  const record = recordLines(parcel, history.received, width);
  const lines: readonly Line[] = [
    ...(parcel.label === null ? [] : [[{ text: parcel.label, bold: true }]]),
    ...titleLines(parcel, width),
    ...timelineHead({ ...view, zone, mode, width, checking: false, pause }),
    ...(days === null ? [] : [[{ text: `${forecastText(days)} (90% of similar parcels)`, dim: true }]]),
    // Links are never shortened, so that they can be copied.
    ...courierPages(parcel).map((page) => [{ text: page, dim: true }]),
    [],
    ...(timeline.length === 0
      ? [[{ text: 'No events yet.' }]]
      : [[{ text: timeModeTitle(mode, zone), dim: true }], ...timeline]),
    ...(record.length === 0 ? [] : [[], ...record]),
  ];
  context.stdout.write(lines.map((line) => `${line.map(style.paint).join('').trimEnd()}\n`).join(''));
}

/** Throws a `UsageError` for an unknown zone. */
function parseTimelineClock(zone: string, viewerZone: string): TimelineClock {
  if (zone === 'event' || zone === 'utc') return { mode: zone, viewerZone: new Zone(viewerZone) };
  return { mode: 'local', viewerZone: new Zone(resolveZoneName(zone, () => viewerZone)) };
}
