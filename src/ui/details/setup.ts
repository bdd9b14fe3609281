import type { BoardSetup } from '../../board/setup/board-setup.ts';
import { wrap } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';

/** Something is missing. */
export type MissingSetup = Extract<BoardSetup, { kind: 'not-set-up' }>;

/** What is missing first, as a noun: nothing is checked without it. */
export const missingSetting = ({ hasKey }: MissingSetup): string => (hasKey ? 'base URL' : 'API key');

/** What is missing and how to set it, as lines of at most `width` cells. */
export function setupLines(setup: MissingSetup, width: number): readonly Line[] {
  const { baseUrl, configFile, hasKey } = setup;
  const room = Math.max(10, width - 2);
  const paragraph = (text: string): Line[] => wrap(text, room).map((line) => [{ text: ` ${line}` }]);
  const command = (text: string): Line[] =>
    wrap(text, room - 2).map((line) => [{ text: `   ${line}`, tone: 'accent' }]);
  const steps: readonly ((step: string) => Line[])[] = [
    ...(hasKey
      ? []
      : [
          (step: string) => paragraph(`${step}Get a key: Developers → API in the provider's admin portal.`),
          (step: string) => [
            ...paragraph(`${step}Set it in the environment, never on the command line:`),
            ...command('export PARCEL_MONITOR_API_KEY=…'),
          ],
        ]),
    ...(baseUrl === null
      ? [
          (step: string) => [
            ...paragraph(`${step}Say where the service is:`),
            ...command('export PARCEL_MONITOR_PROFILE=track123'),
            ...paragraph('or, for another address:'),
            ...command('export PARCEL_MONITOR_BASE_URL=https://…'),
          ],
        ]
      : []),
    (step) => paragraph(`${step}Start parcel-monitor again.`),
  ];
  const title = `There is no ${missingSetting(setup)} yet, so nothing is checked.`;
  return [
    ...wrap(title, room).map((line): Line => [{ text: ` ${line}`, bold: true }]),
    [],
    ...paragraph('Look around first, without an account:'),
    ...command('parcel-monitor --demo'),
    [],
    ...steps.flatMap((step, index) => step(`${index + 1}. `)),
    ...(baseUrl === null ? [] : paragraph(`The service is ${baseUrl}.`)),
    [],
    ...paragraph(`All of this can also stand in ${configFile} (apiKey, apiKeyCommand, baseUrl, profile).`),
    [],
    ...paragraph('Numbers that you add now are kept and registered once the service is set up.'),
  ];
}
