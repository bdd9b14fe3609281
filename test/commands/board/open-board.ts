import { onTestFinished } from 'vitest';
import type { ReplaceableServices, ShowBoard } from '../../../src/settings/session/context.ts';
import type { SetupEffects } from '../../../src/settings/setup/board-setup.ts';
import { createBriskClock } from '../../support/brisk-clock.ts';
import type { CliUser } from '../../support/cli-user.ts';

interface OpenBoard {
  readonly opensSetup: boolean;
  services(): ReplaceableServices;
  effects(): SetupEffects;
  notices(): readonly string[];
  /** Resolves with the exit code. */
  quit(): Promise<number>;
}

/** Opens a board without a screen. */
export async function openBoard(
  user: CliUser,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<OpenBoard> {
  const opened = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<void>();
  let services: ReplaceableServices | null = null;
  const showBoard: ShowBoard = async (request) => {
    services = request;
    request.onReplaced?.((replacement) => {
      services = replacement;
    });
    request.monitor.start();
    opened.resolve(request.opensSetup === true);
    await closed.promise;
    return { reason: 'quit', error: null };
  };
  const command = user.start(args, createBriskClock(), { showBoard, environment });
  const quit = async (): Promise<number> => {
    closed.resolve();
    return await command.ended;
  };
  onTestFinished(async () => {
    const exitCode = await quit();
    if (exitCode !== 0) throw new Error(`The board ended with ${exitCode}: ${command.stderr()}`);
  });
  const opensSetup = await Promise.race([opened.promise, command.ended.then(() => false)]);
  const currentServices = (): ReplaceableServices => {
    if (services === null) throw new Error(`The board did not open: ${command.stderr()}`);
    return services;
  };
  const effects = (): SetupEffects => {
    const { setupEffects } = currentServices();
    if (setupEffects === null) throw new Error('This board does not offer setup.');
    return setupEffects;
  };
  return {
    opensSetup,
    services: currentServices,
    effects,
    notices: () => currentServices().monitor.getState().notices,
    quit,
  };
}
