import { type MissingSetup, missingSetting } from '../../board/setup/board-setup.ts';
import type { Line } from '../../board/text/line.ts';
import { paragraphLines } from '../pane/paragraph-lines.ts';

/** What is missing and how to set it, in a pane of so many cells. */
export function setupText(setup: MissingSetup, width: number): readonly Line[] {
  const { baseUrl, configFile, hasKey } = setup;
  const room = Math.max(10, width - 1);
  const firstOfUrl = hasKey ? 1 : 3;
  const firstOfStart = baseUrl === null ? firstOfUrl + 1 : firstOfUrl;
  const paragraph = (text: string): readonly Line[] => paragraphLines(text, room, {}, 1);
  const command = (text: string): readonly Line[] => paragraphLines(text, room, { tone: 'accent' }, 3);
  const blank: Line = [];
  const forKey = hasKey
    ? []
    : [
        ...paragraph("1. Get a key: Developers → API in the provider's admin portal."),
        ...paragraph('2. Set it in the environment, never on the command line:'),
        ...command('export PARCEL_MONITOR_API_KEY=…'),
      ];
  const forUrl =
    baseUrl !== null
      ? []
      : [
          ...paragraph(`${firstOfUrl}. Say where the service is:`),
          ...command('export PARCEL_MONITOR_PROFILE=track123'),
          ...paragraph('or, for another address:'),
          ...command('export PARCEL_MONITOR_BASE_URL=https://…'),
        ];
  return [
    ...paragraphLines(`There is no ${missingSetting(setup)} yet, so nothing is checked.`, room, { bold: true }, 1),
    blank,
    ...paragraph('Look around first, without an account:'),
    ...command('parcel-monitor --demo'),
    blank,
    ...forKey,
    ...forUrl,
    ...paragraph(`${firstOfStart}. Start parcel-monitor again.`),
    ...(baseUrl === null ? [] : paragraph(`The service is ${baseUrl}.`)),
    blank,
    ...paragraph(
      `Or put it in ${configFile} (apiKey, apiKeyCommand, baseUrl, profile): this board takes it over at once.`,
    ),
    blank,
    ...paragraph('Numbers that you add now are kept and registered once the service is set up.'),
  ];
}
