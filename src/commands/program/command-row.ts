import type { Command } from 'commander';
import type { GlobalOptions } from '../../settings/configuration.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { inSession } from '../../settings/session/open-session.ts';
import type { OpenedSession } from '../../settings/session/session.ts';
import type { ExitCode } from '../../system/exit.ts';

export type OptionRow = readonly [flags: string, about: string, more?: OptionDetails];

interface OptionDetails {
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly defaultValue?: unknown;
  /** Throws Commander's `InvalidArgumentError`. */
  readonly read?: (text: string) => unknown;
  readonly conflicts?: readonly string[];
  readonly isHidden?: boolean;
}

/** The help omits an argument without a description. */
type ArgumentRow = readonly [name: string, about?: string, choices?: readonly string[]];

export type Example = readonly [line: string, about: string];

/** Returns the exit code. */
type Action<Options> = (
  context: CommandContext,
  globals: GlobalOptions,
  options: Options,
  words: readonly string[],
  program: Command,
) => ExitCode | Promise<ExitCode>;

export interface CommandRow {
  readonly name: string;
  readonly about: string;
  readonly usage?: string;
  readonly arguments?: readonly ArgumentRow[];
  /** An option with the name of a global option replaces it, before and after the command's name. */
  readonly options: Readonly<Record<string, OptionRow>>;
  readonly passesOptions?: boolean;
  readonly notes?: string;
  /** For commands with long output that ask no questions. */
  readonly isPaged?: boolean;
  readonly examples: readonly Example[];
  /** Loads the command's module on demand, so that it does not slow other commands down. */
  readonly action: Action<never>;
}

interface FittingRow<Options> extends Omit<CommandRow, 'options' | 'action'> {
  readonly options: { readonly [Name in keyof NoInfer<Options>]-?: OptionRow };
  readonly action: Action<Options>;
}

export const asJson: OptionRow = ['--json', 'print JSON'];
export const courierOfSeveral: OptionRow = ['--courier <code>', 'which parcel, if several couriers have this number'];
export const parcelName = 'tracking number, NUMBER@COURIER, or label';
/** For commands that take either numbers or a filter. */
export const filtered: OptionRow = ['--filter <text>', 'parcels that match, as with "list --filter"'];
export const unasked: OptionRow = ['-y, --yes', 'do not ask'];
export const repeated: OptionDetails = { isRepeated: true };

export const command = <Options extends object>(row: FittingRow<Options>): CommandRow => row;

export const loaded =
  <Options extends object>(load: () => Promise<Action<Options>>): Action<Options> =>
  async (...given) => {
    const run = await load();
    return await run(...given);
  };

type SessionCommand<Options> = (
  session: OpenedSession,
  options: Options,
  words: readonly string[],
) => ExitCode | Promise<ExitCode>;

export const loadedInSession =
  <Options extends object>(load: () => Promise<SessionCommand<Options>>): Action<Options> =>
  (context, globals, options, words) =>
    inSession(context, globals, async (session) => {
      const run = await load();
      return await run(session, options, words);
    });
