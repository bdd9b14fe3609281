import { Box } from 'ink';
import { type MissingSetup, missingSetting } from '../../board/setup/board-setup.ts';
import { Paragraph } from '../pane/painted.tsx';

/** What is missing and how to set it, in a pane of so many cells. */
export function SetupSteps({ setup, width }: { readonly setup: MissingSetup; readonly width: number }) {
  const { baseUrl, configFile, hasKey } = setup;
  const room = Math.max(10, width - 2);
  const firstOfUrl = hasKey ? 1 : 3;
  const firstOfStart = baseUrl === null ? firstOfUrl + 1 : firstOfUrl;
  const paragraph = (text: string) => <Paragraph text={text} width={room} />;
  const command = (text: string) => (
    <Box paddingLeft={2}>
      <Paragraph text={text} width={room - 2} tone="accent" />
    </Box>
  );
  return (
    <Box flexDirection="column" rowGap={1} paddingLeft={1}>
      <Paragraph text={`There is no ${missingSetting(setup)} yet, so nothing is checked.`} width={room} bold />
      <Box flexDirection="column">
        {paragraph('Look around first, without an account:')}
        {command('parcel-monitor --demo')}
      </Box>
      <Box flexDirection="column">
        {!hasKey && paragraph("1. Get a key: Developers → API in the provider's admin portal.")}
        {!hasKey && paragraph('2. Set it in the environment, never on the command line:')}
        {!hasKey && command('export PARCEL_MONITOR_API_KEY=…')}
        {baseUrl === null && paragraph(`${firstOfUrl}. Say where the service is:`)}
        {baseUrl === null && command('export PARCEL_MONITOR_PROFILE=track123')}
        {baseUrl === null && paragraph('or, for another address:')}
        {baseUrl === null && command('export PARCEL_MONITOR_BASE_URL=https://…')}
        {paragraph(`${firstOfStart}. Start parcel-monitor again.`)}
        {baseUrl !== null && paragraph(`The service is ${baseUrl}.`)}
      </Box>
      {paragraph(
        `Or put it in ${configFile} (apiKey, apiKeyCommand, baseUrl, profile): this board takes it over at once.`,
      )}
      {paragraph('Numbers that you add now are kept and registered once the service is set up.')}
    </Box>
  );
}
