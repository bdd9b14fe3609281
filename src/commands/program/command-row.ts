import type { ExitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import type { CommandContext } from '../session/context.ts';
import { inSession } from '../session/open-session.ts';
import type { OpenedSession } from '../session/session.ts';
import type { CommandEntry } from './describe-command.ts';

/** An option, with its flags as Commander reads them. Its value is a text, unless `read` makes another value of it. */
export type OptionRow = readonly [flags: string, about: string, more?: OptionDetails];

interface OptionDetails {
  /** Whether it may be given several times; then its value is a list. */
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly usual?: unknown;
  /** Makes a value of the text. Throws Commander's `InvalidArgumentError`. */
  readonly read?: (text: string) => unknown;
  /** Names of options that must not stand beside it. */
  readonly conflicts?: readonly string[];
  readonly isHidden?: boolean;
}

/** An argument, with its name as Commander reads it, such as `<number...>`; one of which nothing is said stands in no help. */
export type ArgumentRow = readonly [name: string, about?: string, choices?: readonly string[]];

/** What is typed behind the program's name, and what it is for. */
export type Example = readonly [line: string, about: string];

/**
 * Runs a command with its words and its own options, by their names in the program. Answers how it ended. `table`
 * describes all commands.
 */
export type Action<Options> = (
  context: CommandContext,
  globals: GlobalOptions,
  options: Options,
  words: readonly string[],
  table: () => CommandEntry,
) => ExitCode | Promise<ExitCode>;

/** A command: all that its help says, and what it does. */
export interface CommandRow {
  readonly name: string;
  readonly about: string;
  /** What stands behind its name in the help, where that is not made from the arguments. */
  readonly usage?: string;
  readonly arguments?: readonly ArgumentRow[];
  /**
   * Its own options, by their names in the program. One that is called as an option of every command or of the board
   * takes its place, and may stand before the command's name as well.
   */
  readonly options: Readonly<Record<string, OptionRow>>;
  /** Whether what begins with a dash is no option any more behind the first argument. */
  readonly passesOptions?: boolean;
  /** What its help says below the options. */
  readonly notes?: string;
  /** Two or more. */
  readonly examples: readonly Example[];
  /** Loads the code of the command when it runs, so that a rare command costs the others no time. */
  readonly action: Action<never>;
}

/** A command whose options are those that its action takes: a row for each of them, and no other. */
interface FittingRow<Options> extends Omit<CommandRow, 'options' | 'action'> {
  readonly options: { readonly [Name in keyof NoInfer<Options>]-?: OptionRow };
  readonly action: Action<Options>;
}

/** A command of the table. */
export const command = <Options extends object>(row: FittingRow<Options>): CommandRow => row;

/** An action whose code is loaded when it runs. */
export const loaded =
  <Options extends object>(load: () => Promise<Action<Options>>): Action<Options> =>
  async (context, globals, options, words, table) => {
    const run = await load();
    return await run(context, globals, options, words, table);
  };

/** What a command does in a session with its own options and its words; answers how it ended. */
type SessionCommand<Options> = (
  session: OpenedSession,
  options: Options,
  words: readonly string[],
) => ExitCode | Promise<ExitCode>;

/** An action that opens a session first, closes it in the end, and whose code is loaded in between. */
export const loadedInSession =
  <Options extends object>(load: () => Promise<SessionCommand<Options>>): Action<Options> =>
  (context, globals, options, words) =>
    inSession(context, globals, async (session) => {
      const run = await load();
      return await run(session, options, words);
    });
