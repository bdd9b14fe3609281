import { stat } from 'node:fs/promises';
import type { Check } from '../board/json-schemas.ts';
import { formatInstant } from '../board/parcel-json.ts';
import { nullIfMissing } from '../lib/store-errors.ts';
import { counted } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage } from '../parcels/parcel-stage.ts';
import type { CallReport } from '../service/transport.ts';
import type { ProgramPaths } from '../settings/config-file.ts';
import { askWhether, type CommandContext, canAsk } from '../settings/session/context.ts';
import { callText, say } from '../settings/session/session.ts';
import { writeOutputFile } from './output-file.ts';

interface ReportParts {
  readonly checks: readonly Check[];
  /** The requests of these checks. */
  readonly calls: readonly CallReport[];
  readonly parcels: readonly Parcel[];
  readonly paths: ProgramPaths;
}

const usualFile = 'parcel-monitor-report.txt';

/**
 * Prints what helps to find a fault, and writes it to a file; `-` only prints it. Asks at a terminal. Contains no
 * key, number, label, postal code or telephone number, and no home folder.
 */
export async function reportChecks(context: CommandContext, parts: ReportParts, file: string | true): Promise<void> {
  const text = await reportText(context, parts);
  context.stdout.write(text);
  if (file === '-') return;
  const path = file === true ? usualFile : file;
  if (canAsk(context) && !(await askWhether(context, `Write this report to ${path}?`))) {
    say(context, 'Nothing was written.');
    return;
  }
  await writeOutputFile(path, text, { random: context.random, paths: parts.paths });
  say(context, `The report is in ${path}. Read it before you send it.`);
}

async function reportText(context: CommandContext, { calls, checks, parcels, paths }: ReportParts): Promise<string> {
  const { clock, homeDirectory, nodeVersion, platform, version } = context;
  const sections = {
    Program: [`parcel-monitor ${version}, Node ${nodeVersion}, ${platform}`],
    Checks: checks.map(
      ({ advice, found, name, status }) => `${status} ${name}: ${[found, advice ?? []].flat().join(' ')}`,
    ),
    Requests: calls.map(callText),
    Errors: errorLines(parcels),
    Parcels: Object.entries(Object.groupBy(parcels, stageOf)).map(([stage, found = []]) => `${stage}: ${found.length}`),
    Sizes: await sizeLines(paths),
  };
  const text = Object.entries(sections).map(([title, lines]) =>
    [`## ${title}`, ...(lines.length === 0 ? ['none'] : lines), ''].join('\n'),
  );
  const whole = [`# parcel-monitor report of ${formatInstant(clock.now())}`, '', ...text].join('\n');
  return homeDirectory === null || homeDirectory.length < 2 ? whole : whole.replaceAll(homeDirectory, '~');
}

const stageOf = (parcel: Parcel): string => (parcel.archivedAt === null ? parcelStage(parcel) : 'archived');

/** Without the message, which may quote a number. */
function errorLines(parcels: readonly Parcel[]): readonly string[] {
  const errors = parcels.flatMap(({ error }) => error ?? []);
  const alike = Object.entries(Object.groupBy(errors, ({ code, kind }) => [kind, code ?? []].flat().join(' ')));
  return alike.map(([kind, found = []]) => {
    const traceIds = found.flatMap(({ traceId }) => traceId ?? []).slice(0, 3);
    return `${kind}: ${counted(found.length, 'parcel')}${traceIds.length === 0 ? '' : `, trace ID ${traceIds.join(', ')}`}`;
  });
}

async function sizeLines({ changes, config, couriers, watchlist }: ProgramPaths): Promise<readonly string[]> {
  const lines = Object.entries({ config, watchlist, changes, couriers }).map(async ([name, path]) => {
    const facts = await nullIfMissing(stat(path));
    return `${name}: ${facts === null ? 'no file' : `${facts.size} bytes`}`;
  });
  return await Promise.all(lines);
}
