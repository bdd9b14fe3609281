/** Whether the board can query the service, and if not, what the user can do. */
export type BoardSetup =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'not-set-up';
      /** Whether a key is configured; then the base URL is missing. */
      readonly hasKey: boolean;
      /** Null when no base URL is configured. */
      readonly baseUrl: string | null;
      /** Where both can be put. */
      readonly configFile: string;
    };

/** A fact about the program and its service, for the details. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}
