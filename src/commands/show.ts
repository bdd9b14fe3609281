import type { TimeMode } from '../board/checkpoint-time.ts';
import { timeModeTitle } from '../board/checkpoint-time.ts';
import type { Line } from '../board/line.ts';
import { timelineLines } from '../board/timeline.ts';
import { timelineHead } from '../board/timeline-head.ts';
import { namedZone } from './configuration.ts';
import { openCore } from './core.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { oneParcelNamed } from './find-parcel.ts';
import { showJson } from './parcel-json.ts';
import type { Session } from './session.ts';

/** Options of `show`. */
export interface ShowOptions {
  readonly json?: boolean;
  /** `event`, `utc`, `local` or an IANA zone. */
  readonly zone: string;
  readonly courier?: string;
}

/** Cells of a line where the output has no width of its own. */
const usualWidth = 100;
const widest = 120;

/** Prints one parcel with its timeline, newest event first. It reads the files only. */
export async function runShow(session: Session, number: string, options: ShowOptions): Promise<ExitCode> {
  const { context, configuration, style } = session;
  const zone = configuration.zone();
  const clock = clockOfTimeline(options.zone, zone);
  const core = await openCore(session, null);
  try {
    const { parcels, serviceClock } = core.monitor.getState();
    const parcel = oneParcelNamed(parcels, number, options.courier ?? null);
    const history = await core.monitor.history(parcel.id);
    const now = context.clock.now();
    if (options.json === true) {
      context.stdout.write(`${JSON.stringify(showJson(parcel, history, serviceClock, now), null, 2)}\n`);
      return exitCode.done;
    }
    const width = Math.min(context.stdout.columns ?? usualWidth, widest);
    const { glyphs } = style;
    const label: Line[] = parcel.label === null ? [] : [[{ text: parcel.label, bold: true }]];
    const head = timelineHead({ parcel, now, zone, width, glyphs, asking: false });
    const timeline = timelineLines({ checkpoints: history.checkpoints, ...clock, width, glyphs, now });
    const title: Line = [{ text: timeModeTitle(clock.mode, clock.viewerZone), dim: true }];
    const lines = [
      ...label,
      ...head,
      [],
      ...(timeline.length === 0 ? [[{ text: 'No events yet.' }]] : [title, ...timeline]),
    ];
    const text = lines.map((line) => `${line.map(style.paint).join('').trimEnd()}\n`).join('');
    context.stdout.write(text);
    return exitCode.done;
  } finally {
    await core.close();
  }
}

/** Throws a `UsageError` for a zone that does not exist. */
function clockOfTimeline(zone: string, viewerZone: string): { mode: TimeMode; viewerZone: string } {
  if (zone === 'event' || zone === 'utc') return { mode: zone, viewerZone };
  return { mode: 'local', viewerZone: namedZone(zone, () => viewerZone) };
}
