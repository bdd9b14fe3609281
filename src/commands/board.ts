import { createAccountActions } from '../polling/account-actions.ts';
import { createCourierDirectory } from '../watchlist/courier-directory.ts';
import type { BoardEnd, BoardFact, BoardSetup } from './context.ts';
import { openCore } from './core.ts';
import { lacksExtra } from './courier-needs.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { runList } from './list.ts';
import { openServiceIfConfigured } from './service.ts';
import type { Session } from './session.ts';

/** Opens the board; where there is no terminal, prints what `list` prints. */
export async function runBoard(session: Session): Promise<ExitCode> {
  const { context, configuration, paths, style } = session;
  if (!(context.stdinIsTerminal && context.stdout.isTerminal)) {
    return await runList(session, {});
  }
  const service = await openServiceIfConfigured(session);
  const core = await openCore(session, service);
  try {
    const { clock, random, signal } = context;
    const end = await context.showBoard({
      monitor: core.monitor,
      couriers: createCourierDirectory({ path: paths.couriers, service, clock, random }),
      zone: configuration.zone(),
      glyphs: style.glyphs,
      colour: style.colour,
      badge: null,
      setup: service === null ? missingSetup(session) : { kind: 'ready' },
      facts: factsOf(session),
      account: createAccountActions(core.monitor, service),
      hasDefaultExtra: (courierCode) => !lacksExtra(configuration, courierCode),
      signal,
    });
    return endOfBoard(end);
  } finally {
    await core.close();
  }
}

function missingSetup({ configuration, paths }: Session): BoardSetup {
  return { kind: 'no-key', configFile: paths.config, baseUrl: configuration.baseUrl?.href ?? null };
}

function factsOf({ configuration, paths }: Session): readonly BoardFact[] {
  return [
    { name: 'Base URL', value: configuration.baseUrl?.href ?? 'not set' },
    { name: 'Watchlist', value: paths.watchlist },
    { name: 'Configuration', value: paths.config },
  ];
}

/** The exit code of a board that was left; rethrows what ended it. A hang-up leaves nobody to tell anything. */
export function endOfBoard(end: BoardEnd): ExitCode {
  if (end.reason === 'error') throw end.error;
  return exitCode.done;
}
