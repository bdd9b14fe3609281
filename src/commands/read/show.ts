import { courierPages } from '../../board/courier/courier-page.ts';
import type { Line } from '../../board/text/line.ts';
import type { TimeMode } from '../../board/time/checkpoint-time.ts';
import { timeModeTitle } from '../../board/time/checkpoint-time.ts';
import { recordLines } from '../../board/timeline/record-facts.ts';
import { timelineLines } from '../../board/timeline/timeline.ts';
import { timelineHead } from '../../board/timeline/timeline-head.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { noUsualStillness } from '../../watchlist/rules/usual-stillness.ts';
import { usualBeside } from '../../watchlist/store/usual-beside.ts';
import { namedZone } from '../configuration/configuration.ts';
import { namedParcels, oneParcelNamed, refuseBlank } from '../input/find-parcel.ts';
import { showJson } from '../output/parcel-json.ts';
import { openCore } from '../session/core.ts';
import { UsageError } from '../session/errors.ts';
import type { Session } from '../session/session.ts';
import { queryInstantly } from './instant.ts';
import type { ShownParcel, ShowOptions } from './shown-parcel.ts';

/** Cells of a line where the output has no width of its own. */
const usualWidth = 100;
const widest = 120;

/**
 * Prints one parcel with its timeline, newest event first. It reads the files only, unless the courier is to be queried
 * now (`--instant`).
 */
export async function runShow(
  session: Session,
  options: ShowOptions,
  [number = '']: readonly string[],
): Promise<ExitCode> {
  refuseBlank([number]);
  // A zone that does not exist is found out before anything is sent.
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
  const usual = options.json === true ? noUsualStillness : await usualBeside(core.stores.store, parcel, now);
  const shown = { parcel, history, serviceClock, isPaused: polling.paused, watched: true, usual, now };
  print(session, shown, options, clock);
  return exitCode.done;
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

/** The couriers' pages, whole however long they are: they are there to be copied. */
function pageLines(parcel: Parcel): Line[] {
  return courierPages(parcel).map((page) => [{ text: page, dim: true }]);
}

/** Throws a `UsageError` for a zone that does not exist. */
function clockOfTimeline(zone: string, viewerZone: string): TimelineClock {
  if (zone === 'event' || zone === 'utc') return { mode: zone, viewerZone: new Zone(viewerZone) };
  return { mode: 'local', viewerZone: new Zone(namedZone(zone, () => viewerZone)) };
}
