import type { Command } from 'commander';
import type { Grouping } from '../../board/statistics.ts';
import type { GlobalOptions } from '../../settings/configuration.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { inSession } from '../../settings/session/open-session.ts';
import type { OpenedSession } from '../../settings/session/session.ts';
import type { ExitCode } from '../../system/exit.ts';

export type OptionRow = readonly [flags: string, about: string, more?: OptionDetails];

interface OptionDetails {
  readonly isRepeatable?: boolean;
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

type Action<Options> = (
  context: CommandContext,
  globals: GlobalOptions,
  options: Options,
  args: readonly string[],
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
  readonly action: Action<never>;
}

type SessionAction<Options> = (
  session: OpenedSession,
  options: Options,
  args: readonly string[],
) => ExitCode | Promise<ExitCode>;

interface LoadedRow<Options, Run> extends Omit<CommandRow, 'options' | 'action'> {
  readonly options: { readonly [Name in keyof NoInfer<Options>]-?: OptionRow };
  /** Loads the command's module on demand, so that it does not slow other commands down. */
  readonly load: () => Promise<Run>;
}

export const jsonOption: OptionRow = ['--json', 'print JSON'];
export const courierOption: OptionRow = ['--courier <code>', 'which parcel, if several couriers have this number'];
export const parcelArgument = 'tracking number, NUMBER@COURIER, or label';
/** For commands that take either numbers or a filter. */
export const filterOption: OptionRow = ['--filter <text>', 'parcels that match, as with "list --filter"'];
export const yesOption: OptionRow = ['-y, --yes', 'do not ask'];
export const repeatable: OptionDetails = { isRepeatable: true };

export const command = <Options extends object>({ load, ...row }: LoadedRow<Options, Action<Options>>): CommandRow => ({
  ...row,
  action: async (...args: Parameters<Action<Options>>) => (await load())(...args),
});

export const sessionCommand = <Options extends object>({
  load,
  ...row
}: LoadedRow<Options, SessionAction<Options>>): CommandRow => ({
  ...row,
  action: (context, globals, options: Options, args) =>
    inSession(context, globals, async (session) => (await load())(session, options, args)),
});

// Option values are defined here so that printing the help does not load the commands.

export const exportFormats = ['json', 'csv', 'ics', 'md'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const digestFormats = ['text', 'md', 'html'] as const;
export type DigestFormat = (typeof digestFormats)[number];

/** Values of `stats --by`. */
export const groupings = ['courier', 'country', 'tag', 'week'] as const satisfies readonly Grouping[];
