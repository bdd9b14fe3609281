import { stageCounts } from '../board/status/status-now.ts';
import {
  fillTemplate,
  type Placeholder,
  placeholderStages,
  statusLine,
  TemplateError,
} from '../board/status/watchlist-status.ts';
import { ageText, clockText } from '../board/time.ts';
import type { EpochMs } from '../lib/clock.ts';
import { parseInstant, Zone } from '../lib/date-time.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { configFileContentOrEmpty, programPaths } from '../settings/config-file.ts';
import { type GlobalOptions, resolveZone } from '../settings/configuration.ts';
import { orUsageError } from '../settings/errors.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { peek } from '../settings/session/open-session.ts';
import { styleOf } from '../settings/session/output.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

const noValue = '-';

/**
 * Status bars and prompts run this often, so it takes no lock and reads no settings other than the store and the zone.
 * Throws a `UsageError` for an invalid template.
 */
export async function runStatus(
  context: CommandContext,
  globals: GlobalOptions,
  /** For the format, see `fillTemplate`. */
  { format }: { readonly format?: string },
): Promise<ExitCode> {
  const paths = programPaths(context, globals);
  orUsageError(TemplateError, () => fillTemplate(format ?? '', () => ''));
  const { zone: zoneSetting } = await configFileContentOrEmpty(paths.config);
  const file = typeof zoneSetting === 'string' ? { zone: zoneSetting } : {};
  const { environment } = context;
  const zoneName = resolveZone({ environment, systemZone: () => context.systemZone(), options: globals, file });
  const zone = new Zone(zoneName());
  const { isPaused, now, parcels, queriesToday } = await peek(context, globals, async (stores, allParcels) => ({
    parcels: allParcels.filter(({ archivedAt }) => archivedAt === null),
    isPaused: (await stores.memory.read()).paused,
    queriesToday: (await stores.meter.read()).today.queries,
    now: stores.clock.now(),
  }));
  const { found: counts } = stageCounts({ parcels, now, zone });
  if (format === undefined) {
    const { paint } = styleOf(context, globals);
    context.stdout.write(`${statusLine(counts, { queriesToday, isPaused }).map(paint).join('')}\n`);
    return exitCode.done;
  }
  const values: Partial<Record<Placeholder, string>> = {
    total: String(parcels.length),
    age: checkedAgeText(parcels, now),
    next: nextCheckText(parcels, { isPaused, now }, zone),
    queriesToday: String(queriesToday),
  };
  const textFor = (name: Placeholder): string => {
    const stage = placeholderStages[name];
    return stage === undefined ? (values[name] ?? noValue) : String(counts.get(stage) ?? 0);
  };
  context.stdout.write(`${fillTemplate(format, textFor)}\n`);
  return exitCode.done;
}

function checkedAgeText(parcels: readonly Parcel[], now: EpochMs): string {
  const checked = parcels.flatMap(({ checkedAt }) => parseInstant(checkedAt) ?? []);
  return checked.length === 0
    ? noValue
    : ageText(
        checked.reduce((last, at) => Math.max(last, at)),
        now,
      );
}

/** Returns the time of the next check, in the viewer's zone. */
function nextCheckText(
  parcels: readonly Parcel[],
  { isPaused, now }: { readonly isPaused: boolean; readonly now: EpochMs },
  zone: Zone,
): string {
  const dueTimes = parcels.flatMap(({ nextPollAt, registration }) =>
    registration === 'rejected' ? [] : (parseInstant(nextPollAt) ?? []),
  );
  if (dueTimes.length === 0) return noValue;
  if (isPaused) return 'paused';
  const next = dueTimes.reduce((first, at) => Math.min(first, at));
  return next <= now ? 'now' : clockText(next, now, zone);
}
