import { join } from 'node:path';
import { countedStage, type TourFacts, type ViewerDay } from '../board/status/status-now.ts';
import {
  countedStages,
  fillTemplate,
  type Placeholder,
  placeholdersIn,
  statusLine,
  TemplateError,
} from '../board/status/watchlist-status.ts';
import { ageText } from '../board/time/age.ts';
import { clockText, dayInZone } from '../board/time/zone-time.ts';
import type { EpochMs } from '../lib/clock.ts';
import { parseInstant } from '../lib/date-time.ts';
import { Zone } from '../lib/zone.ts';
import { hasEndedUnreported, isSnoozed, recordStage } from '../parcels/parcel-stage.ts';
import type { ShownStage } from '../parcels/stages.ts';
import { configFileContentOrNone, type ProgramPaths } from '../settings/config-file.ts';
import { type GlobalOptions, resolveZone, settledBy } from '../settings/configuration.ts';
import { orUsageError } from '../settings/errors.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { isInDatabase, peekAtDatabase } from '../settings/session/open-session.ts';
import { sessionPaths, styleOf } from '../settings/session/session.ts';
import type { ConfigFile } from '../settings/table.ts';
import { type PeekedParcel, peekAtParcel, peekAtParcels, peekAtPause, peekAtUsage } from '../store/glance.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

interface StatusOptions {
  /** See `fillTemplate`. */
  readonly format?: string;
}

const none = '-';

/**
 * Runs often in status bars and prompts, so it takes no lock and reads no setting but the store and the zone.
 * Throws a `UsageError` for a wrong template.
 */
export async function runStatus(
  context: CommandContext,
  globals: GlobalOptions,
  { format }: StatusOptions,
): Promise<ExitCode> {
  const paths = sessionPaths(context, globals);
  const wanted = orUsageError(TemplateError, () => placeholdersIn(format ?? ''));
  const { zone: written, ...file } = await configFileContentOrNone(paths.config);
  const data = isInDatabase(context, globals, file)
    ? await dataOfDatabase(context, globals)
    : await dataOfFiles(paths, context);
  const { isPaused, now, queriesToday } = data;
  const parcels = data.parcels.filter(({ archivedAt }) => archivedAt === null);
  let known: Zone | null = null;
  // Resolved on demand, so that an invalid zone affects only texts that need it.
  const zone = (): Zone => {
    known ??= viewerZone(context, globals, paths, typeof written === 'string' ? { zone: written } : {});
    return known;
  };
  const counts = new Map<ShownStage, number>();
  for (const parcel of parcels) {
    if (isSnoozed(parcel, now)) continue;
    const stage = stageOf(parcel, now, (at) => dayInZone(at, zone()));
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
  }
  if (format === undefined) {
    const { paint } = styleOf(context, globals);
    context.stdout.write(`${statusLine(counts, { queriesToday, isPaused }).map(paint).join('')}\n`);
    return exitCode.done;
  }
  const values: Partial<Record<Placeholder, string>> = {
    total: String(parcels.length),
    age: ageOf(parcels, now),
    next: wanted.has('next') ? nextText(parcels, data, zone) : none,
    queriesToday: String(queriesToday),
  };
  const textFor = (name: Placeholder): string => {
    const stage = countedStages[name];
    return stage === undefined ? (values[name] ?? none) : String(counts.get(stage) ?? 0);
  };
  context.stdout.write(`${fillTemplate(format, textFor)}\n`);
  return exitCode.done;
}

/** Counts parcels as out for delivery only today. */
function stageOf(parcel: PeekedParcel, now: EpochMs, viewerDay: ViewerDay): ShownStage {
  const { arrival, checkedAt, lastEvent, ...record } = parcel;
  const facts: TourFacts = { checkedAt, lastEvent, record: arrival === null ? record : { ...record, arrival } };
  if (parcel.isRejected) return 'attention';
  if (parcel.unread === undefined && hasEndedUnreported(facts)) return 'closed';
  return countedStage(recordStage(facts), facts, now, viewerDay);
}

function ageOf(parcels: readonly PeekedParcel[], now: EpochMs): string {
  const checked = parcels.flatMap(({ checkedAt }) => parseInstant(checkedAt) ?? []);
  return checked.length === 0
    ? none
    : ageText(
        checked.reduce((last, at) => Math.max(last, at)),
        now,
      );
}

interface StatusData {
  readonly parcels: readonly PeekedParcel[];
  readonly isPaused: boolean;
  readonly queriesToday: number;
  /** On the clock that all users of the watchlist share. */
  readonly now: EpochMs;
}

async function dataOfFiles({ state, watchlist }: ProgramPaths, { clock }: CommandContext): Promise<StatusData> {
  const now = clock.now();
  const { queries: queriesToday } = await peekAtUsage(join(state, 'meter.json'), now);
  const isPaused = await peekAtPause(join(state, 'polling.json'));
  return { parcels: await peekAtParcels(watchlist), isPaused, queriesToday, now };
}

function dataOfDatabase(context: CommandContext, globals: GlobalOptions): Promise<StatusData> {
  return peekAtDatabase(context, globals, async ({ clock, memory, meter, store }) => {
    const { parcels } = await store.read();
    const { paused: isPaused } = await memory.read();
    const { queries: queriesToday } = (await meter.read()).today;
    return { parcels: parcels.map(peekAtParcel), isPaused, queriesToday, now: clock.now() };
  });
}

/** On the viewer's clock. */
function nextText(parcels: readonly PeekedParcel[], { isPaused, now }: StatusData, zone: () => Zone): string {
  const dues = parcels.flatMap(({ nextPollAt, isRejected }) => (nextPollAt === null || isRejected ? [] : [nextPollAt]));
  if (dues.length === 0) return none;
  if (isPaused) return 'paused';
  const next = dues.reduce((first, at) => Math.min(first, at));
  return next <= now ? 'now' : clockText(next, now, zone());
}

/** Throws a `UsageError` for an unknown zone. */
function viewerZone(context: CommandContext, options: GlobalOptions, paths: ProgramPaths, file: ConfigFile): Zone {
  return new Zone(resolveZone({ ...settledBy(context, paths), options, file })());
}
