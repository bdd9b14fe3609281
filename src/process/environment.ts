/** Environment variables as they were when the program started. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable says anything at all. */
export const isSet = (text: string | undefined): boolean => text !== undefined && text !== '';

/** Whether one of these variables says anything. */
export const isOneSet = (environment: Environment, ...names: readonly string[]): boolean =>
  names.some((name) => isSet(environment[name]));

/** Whether the program runs in a session over SSH, whose user sits at another machine. */
export const isOverSsh = (environment: Environment): boolean => isOneSet(environment, 'SSH_CONNECTION', 'SSH_TTY');

/** Whether the machine is one that Windows runs beside itself (WSL). */
export const isInWsl = (environment: Environment): boolean => isOneSet(environment, 'WSL_DISTRO_NAME', 'WSL_INTEROP');

/** A variable that is set but empty counts as not set, as usual in shells. */
export function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Whether the terminal, if there is one, only prints: `TERM` says so, as in the shell of Emacs. */
export const onlyPrints = (environment: Environment): boolean => nonEmpty(environment['TERM']) === 'dumb';
