import { join } from 'node:path';
import { countedStage, type TourFacts, type ViewerDay } from '../board/status/status-now.ts';
import {
  countedStages,
  fillTemplate,
  type Placeholder,
  placeholdersIn,
  type StageCounts,
  statusLine,
  TemplateError,
} from '../board/status/watchlist-status.ts';
import { ageText } from '../board/time/age.ts';
import type { EpochMs } from '../lib/clock.ts';
import { parseInstant } from '../lib/date-time.ts';
import { Zone } from '../lib/zone.ts';
import { hasEndedUnreported, recordStage } from '../parcels/parcel-stage.ts';
import type { ShownStage } from '../parcels/stages.ts';
import type { ProgramPaths } from '../settings/config-file.ts';
import { type GlobalOptions, resolveZone, settledBy } from '../settings/configuration.ts';
import { orUsageError } from '../settings/errors.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { isInDatabase } from '../settings/session/database-glance.ts';
import { sessionPaths, styleOf } from '../settings/session/session.ts';
import {
  type GlancedParcel,
  glanceAtParcel,
  glanceAtParcels,
  glanceAtPause,
  glanceAtUsage,
  glanceAtZone,
} from '../store/glance.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

interface StatusOptions {
  /** See `fillTemplate`. */
  readonly format?: string;
}

const none = '-';

/**
 * Runs often in status bars and prompts, so it takes no lock and loads little.
 * Throws a `UsageError` for a wrong template.
 */
export async function runStatus(
  context: CommandContext,
  globals: GlobalOptions,
  options: StatusOptions,
): Promise<ExitCode> {
  const paths = sessionPaths(context, globals);
  const { paint } = styleOf(context, globals);
  const { format } = options;
  const wanted = format === undefined ? null : orUsageError(TemplateError, () => placeholdersIn(format));
  const glanced = (await isInDatabase(context, globals))
    ? await glancedInDatabase(context, globals)
    : glancedInFiles(paths, context);
  const parcels = (await glanced.parcels()).filter(({ isArchived }) => !isArchived);
  const { now } = glanced;
  const zone = () => viewerZone(context, globals, paths);
  const counts = await stageCounts(parcels, now, zone);
  if (format === undefined || wanted === null) {
    const polling = { queriesToday: await glanced.queriesToday(), isPaused: await glanced.isPaused() };
    context.stdout.write(`${statusLine(counts, polling).map(paint).join('')}\n`);
    return exitCode.done;
  }
  const values: Partial<Record<Placeholder, string>> = {
    total: String(parcels.length),
    age: ageOf(parcels, now),
    ...(wanted.has('next') ? { next: await nextText(parcels, glanced, zone) } : {}),
    ...(wanted.has('queriesToday') ? { queriesToday: String(await glanced.queriesToday()) } : {}),
  };
  const textFor = (name: Placeholder): string => {
    const stage = countedStages[name];
    return stage === undefined ? (values[name] ?? none) : String(counts.get(stage) ?? 0);
  };
  context.stdout.write(`${fillTemplate(format, textFor)}\n`);
  return exitCode.done;
}

/** Counts only today's parcels as out for delivery. */
async function stageCounts(
  parcels: readonly GlancedParcel[],
  now: EpochMs,
  zone: () => Promise<Zone>,
): Promise<StageCounts> {
  let needsZone = false;
  const counts = countStages(parcels, now, () => {
    needsZone = true;
    return 0;
  });
  if (!needsZone) return counts;
  const [{ dayInZone }, viewers] = await Promise.all([import('../board/time/zone-time.ts'), zone()]);
  return countStages(parcels, now, (at) => dayInZone(at, viewers));
}

function countStages(parcels: readonly GlancedParcel[], now: EpochMs, viewerDay: ViewerDay): StageCounts {
  const counts = new Map<ShownStage, number>();
  for (const parcel of parcels) {
    const facts = tourFacts(parcel);
    const stage = glancedStage(parcel, facts, now, viewerDay);
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
  }
  return counts;
}

function glancedStage(parcel: GlancedParcel, facts: TourFacts, now: EpochMs, viewerDay: ViewerDay): ShownStage {
  if (parcel.isRejected) return 'attention';
  if (!parcel.isUnread && hasEndedUnreported(facts)) return 'closed';
  return countedStage(recordStage(facts), facts, now, viewerDay);
}

function tourFacts({ arrival, checkedAt, lastEvent, ...record }: GlancedParcel): TourFacts {
  return { checkedAt, lastEvent, record: arrival === null ? record : { ...record, arrival } };
}

function ageOf(parcels: readonly GlancedParcel[], now: EpochMs): string {
  const newest = parcels.reduce(
    (last, { checkedAt }) => Math.max(last, parseInstant(checkedAt) ?? last),
    Number.NEGATIVE_INFINITY,
  );
  return Number.isFinite(newest) ? ageText(newest, now) : none;
}

interface Glanced {
  readonly parcels: () => Promise<readonly GlancedParcel[]>;
  readonly isPaused: () => Promise<boolean>;
  readonly queriesToday: () => Promise<number>;
  /** On the clock that all users of the watchlist share. */
  readonly now: EpochMs;
}

const glancedInFiles = ({ state, watchlist }: ProgramPaths, { clock }: CommandContext): Glanced => ({
  parcels: () => glanceAtParcels(watchlist),
  isPaused: () => glanceAtPause(join(state, 'polling.json')),
  queriesToday: async () => (await glanceAtUsage(join(state, 'meter.json'), clock.now())).queries,
  now: clock.now(),
});

async function glancedInDatabase(context: CommandContext, globals: GlobalOptions): Promise<Glanced> {
  const { glanceAtDatabase } = await import('../settings/session/database-glance.ts');
  return await glanceAtDatabase(context, globals, async ({ clock, memory, meter, store }) => {
    const parcels = (await store.read()).parcels.map(glanceAtParcel);
    const [{ paused }, { today }] = [await memory.load(), await meter.read()];
    return {
      parcels: async () => parcels,
      isPaused: async () => paused,
      queriesToday: async () => today.queries,
      now: clock.now(),
    };
  });
}

/** On the viewer's clock. Finds the zone only when the template needs it, because that is slow. */
async function nextText(
  parcels: readonly GlancedParcel[],
  { isPaused, now }: Glanced,
  zone: () => Promise<Zone>,
): Promise<string> {
  const dues = parcels.flatMap(({ nextPollAt, isRejected }) => (nextPollAt === null || isRejected ? [] : [nextPollAt]));
  if (dues.length === 0) return none;
  if (await isPaused()) return 'paused';
  const next = dues.reduce((first, at) => Math.min(first, at));
  if (next <= now) return 'now';
  const { clockText } = await import('../board/time/zone-time.ts');
  return clockText(next, now, await zone());
}

/** Reads only the zone from `config.json`. */
async function viewerZone(context: CommandContext, globals: GlobalOptions, paths: ProgramPaths): Promise<Zone> {
  const zone = await glanceAtZone(paths.config);
  const name = resolveZone({
    ...settledBy(context, paths),
    options: globals,
    file: zone === null ? {} : { zone },
  })();
  return new Zone(name);
}
