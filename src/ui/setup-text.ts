import { wrap } from '../board/cells.ts';
import type { Line } from '../board/line.ts';

/** Whether the board can ask the service, and if not, what the user can do. */
export type BoardSetup =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'no-key';
      readonly configFile: string;
      /** Null when no base URL is configured either. */
      readonly baseUrl: string | null;
    };

/** How to get a key and set it, as lines of at most `width` cells. */
export function setupLines(setup: Extract<BoardSetup, { kind: 'no-key' }>, width: number): readonly Line[] {
  const room = Math.max(10, width - 2);
  const paragraph = (text: string): Line[] => wrap(text, room).map((line) => [{ text: ` ${line}` }]);
  const command = (text: string): Line[] =>
    wrap(text, room - 2).map((line) => [{ text: `   ${line}`, tone: 'accent' }]);
  return [
    ...wrap('There is no API key yet, so nothing is asked.', room).map(
      (line): Line => [{ text: ` ${line}`, bold: true }],
    ),
    [],
    ...paragraph('Look around first, without an account:'),
    ...command('parcel-monitor --demo'),
    [],
    ...paragraph("1. Get a key in the provider's admin portal: Developers, API."),
    ...paragraph('2. Set it in the environment, never on the command line:'),
    ...command('export PARCEL_MONITOR_API_KEY=…'),
    ...(setup.baseUrl === null
      ? [
          ...paragraph('3. Say where the service is:'),
          ...command('export PARCEL_MONITOR_PROFILE=track123'),
          ...paragraph('or, for another address:'),
          ...command('export PARCEL_MONITOR_BASE_URL=https://…'),
        ]
      : paragraph(`3. The service is ${setup.baseUrl}.`)),
    [],
    ...paragraph(`All of this can also stand in ${setup.configFile} (apiKey, apiKeyCommand, baseUrl, profile).`),
    [],
    ...paragraph('Numbers that you add now are kept and registered once there is a key.'),
  ];
}
