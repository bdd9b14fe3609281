/** Environment variables as they were when the program started. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable says anything at all. */
export const isSet = (text: string | undefined): boolean => text !== undefined && text !== '';

/** A variable that is set but empty counts as not set, as usual in shells. */
export function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}
