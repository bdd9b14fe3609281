import { sleep } from '../../lib/clock.ts';
import { Zone } from '../../lib/zone.ts';
import type { Monitor } from '../../polling/state.ts';
import { type GlobalOptions, resolveZone } from '../../settings/configuration.ts';
import { type CommandContext, hasScreen } from '../../settings/session/context.ts';
import { say, styleOf } from '../../settings/session/session.ts';
import { printTable } from '../../settings/session/text-table.ts';
import { firstView } from '../../store/saved-view.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import { changeLine } from '../changes.ts';
import { selectParcels } from '../list.ts';
import { parcelTable, parcelTableWidth } from '../parcel-table.ts';
import { endOfBoard, isLeft } from './board.ts';
import { beginDemo, demoServices, startDemo } from './demonstration.ts';

/** In milliseconds; used where there is no terminal. */
const playMs = 10_000;

/** Keeps everything in memory, so no user data is read or written, and nothing is left behind after a crash. */
export async function runDemo(context: CommandContext, options: GlobalOptions): Promise<ExitCode> {
  const source = { options, environment: {}, file: {}, systemZone: () => context.systemZone() };
  const zone = new Zone(resolveZone(source)());
  const setUp = setupCommand(context);
  const howToBegin = `That was the demo. For your own parcels run "${setUp}".`;
  const demo = await startDemo(context);
  try {
    const { monitor } = demo;
    const style = styleOf(context, options);
    if (!hasScreen(context)) {
      await play(context, monitor);
      const { parcels, polling } = monitor.getState();
      const listed = selectParcels(parcels);
      context.stdout.write('\n');
      printTable(
        { context, style },
        parcelTable(listed, {
          now: context.clock.now(),
          zone,
          isPaused: polling.paused,
          width: parcelTableWidth(context),
        }),
      );
      say(context, howToBegin);
      return exitCode.done;
    }
    await beginDemo(demo);
    const end = await context.showBoard({
      ...demoServices(context, demo, zone),
      setupEffects: null,
      whyNoSetup: `This is the demo. Your own parcels: quit with q, run "${setUp}".`,
      ...style,
      // Counts only changes from now on as news.
      view: { ...firstView, newsSeq: monitor.changeSeq() },
      keepView: () => undefined,
      signal: context.signal,
    });
    if (isLeft(end)) say(context, howToBegin);
    return endOfBoard(end);
  } finally {
    await demo.close();
  }
}

/** npm sets environment variables for its scripts. */
function setupCommand({ environment }: Pick<CommandContext, 'environment'>): string {
  const isInClone =
    environment['npm_lifecycle_event'] !== undefined && environment['npm_package_name'] === 'parcel-monitor';
  return isInClone ? 'npm start -- setup' : 'parcel-monitor setup';
}

async function play(context: CommandContext, monitor: Monitor): Promise<void> {
  say(context, 'The demo runs for ten seconds; in a terminal it opens the board.');
  const unsubscribe = monitor.onChanges((changes) => {
    for (const change of changes) context.stdout.write(`${changeLine(change)}\n`);
  });
  try {
    monitor.start();
    await sleep(context.clock, playMs, context.signal);
  } finally {
    unsubscribe();
  }
}
