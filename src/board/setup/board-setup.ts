import type { Line } from '../text/line.ts';
import { paragraphLines } from '../text/paragraph.ts';

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

/** What is missing and how to set it, in a pane of so many cells; empty where nothing is. */
export function missingText(setup: BoardSetup, width: number): readonly Line[] {
  if (setup.kind === 'ready') return [];
  const room = Math.max(10, width - 1);
  return [
    ...paragraphLines(`There is no ${missingSetting(setup)} yet, so nothing is checked.`, room, { bold: true }, 1),
    ...paragraphLines('Press C to set it up, or run "parcel-monitor setup".', room, {}, 1),
    ...(setup.baseUrl === null ? [] : paragraphLines(`The service is ${setup.baseUrl}.`, room, {}, 1)),
    ...paragraphLines(`It is kept in ${setup.configFile}, which an open board takes over at once.`, room, {}, 1),
    ...paragraphLines('Numbers that you add now are kept and registered once the service is set up.', room, {}, 1),
  ];
}

/** A fact about the program and its service, for the details. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}
