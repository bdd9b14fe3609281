import type { BoardSetup, Fact } from '../../board/setup/board-setup.ts';
import { createAccountActions } from '../../polling/account/account-actions.ts';
import type { ListenAddress } from '../../polling/pushes/listen-address.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { printableText } from '../../service/text/clean-text.ts';
import { createCourierDirectory } from '../../watchlist/state/courier-directory.ts';
import { ViewKeeper } from '../../watchlist/state/view-keeper.ts';
import { lacksExtra } from '../input/missing-extras.ts';
import { runList } from '../read/list.ts';
import type { BoardEnd } from '../session/context.ts';
import { openCore } from '../session/core.ts';
import { UsageError } from '../session/errors.ts';
import { openService } from '../session/service.ts';
import type { Session } from '../session/session.ts';
import { openViewMemory } from '../session/stores.ts';
import { openWebhook, type Webhook, webhookAddress } from '../session/webhook.ts';

/** Options of the board. */
interface BoardCommandOptions {
  /** Where to listen for what the service pushes. */
  readonly webhook?: string;
}

/** Opens the board; where there is no terminal, prints what `list` prints. */
export async function runBoard(session: Session, options: BoardCommandOptions = {}): Promise<ExitCode> {
  const { context } = session;
  const isTerminal = context.stdinIsTerminal && context.stdout.isTerminal;
  if (options.webhook === undefined) return isTerminal ? await openBoard(session, null) : await runList(session, {});
  const address = webhookAddress(options.webhook);
  if (!isTerminal) {
    throw new UsageError(
      '--webhook belongs to the board, which needs a terminal. Without one, use "parcel-monitor watch --webhook".',
    );
  }
  return await openBoard(session, address);
}

/** Opens the board, and with an address to listen on the webhook receiver for as long as the board is open. */
async function openBoard(session: Session, address: ListenAddress | null): Promise<ExitCode> {
  const { context, configuration, paths, style } = session;
  // What is pushed is signed with the key, so there must be one.
  const service = address === null ? await session.service() : await openService(session);
  const core = await openCore(session, service);
  const memory = openViewMemory(session);
  const keeper = new ViewKeeper({
    memory,
    clock: context.clock,
    onProblem: (error) => {
      const reason = error instanceof Error ? error.message : String(error);
      core.monitor.notify(`How the board is looked at is not remembered. ${reason}`);
    },
  });
  let webhook: Webhook | null = null;
  try {
    if (address !== null) webhook = await openWebhook(session, address, core.monitor);
    const { clock, processes, random, signal } = context;
    const end = await context.showBoard({
      monitor: core.monitor,
      couriers: createCourierDirectory({ path: paths.couriers, service, clock, random, processes }),
      zone: configuration.zone(),
      glyphs: style.glyphs,
      colour: style.colour,
      badge: null,
      setup: service === null ? missingSetup(session) : { kind: 'ready' },
      view: await memory.load(),
      keepView: (changes) => keeper.keep(changes),
      title: configuration.title,
      facts: [...factsOf(session), ...(webhook === null ? [] : [{ name: 'Webhook', value: webhook.url }])],
      account: createAccountActions(core.monitor, service),
      clockSkew: () => service?.clockSkew() ?? null,
      hasDefaultExtra: (courierCode) => !lacksExtra(configuration, courierCode),
      signal,
    });
    return endOfBoard(end);
  } finally {
    await keeper.close();
    await webhook?.close();
    await core.close();
  }
}

function missingSetup({ configuration, paths }: Session): BoardSetup {
  return {
    kind: 'not-set-up',
    hasKey: configuration.apiKey.kind !== 'none',
    baseUrl: configuration.baseUrl?.href ?? null,
    configFile: printableText(paths.config),
  };
}

function factsOf({ configuration, paths }: Session): readonly Fact[] {
  return [
    ...(configuration.baseUrl === null ? [] : [{ name: 'Base URL', value: configuration.baseUrl.href }]),
    { name: 'Watchlist', value: printableText(paths.watchlist) },
    { name: 'Configuration', value: printableText(paths.config) },
  ];
}

/** The exit code of a board that was left; rethrows what ended it. After a hang-up nobody reads a message. */
export function endOfBoard(end: BoardEnd): ExitCode {
  if (end.reason === 'error') throw end.error;
  return exitCode.done;
}
