/** Something is missing that the service cannot be queried without. */
export interface MissingSetup {
  readonly kind: 'not-set-up';
  /** Whether a key is configured; then the base URL is missing. */
  readonly hasKey: boolean;
  /** Null when no base URL is configured. */
  readonly baseUrl: string | null;
  /** Where both can be put. */
  readonly configFile: string;
}

/** Whether the board can query the service, and if not, what the user can do. */
export type BoardSetup = { readonly kind: 'ready' } | MissingSetup;

/** What is missing first, as a noun: nothing is checked without it. */
export const missingSetting = ({ hasKey }: MissingSetup): string => (hasKey ? 'base URL' : 'API key');

/** A fact about the program and its service, for the details. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}
