import { writeFile } from 'node:fs/promises';
import { test } from 'vitest';
import { modesLeftOn } from '../support/pseudo-terminal.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();

test.each(['q', 'SIGTERM'] as const)('after %s the terminal no longer reports the mouse', async (way) => {
  const home = await createHome({ PARCEL_MONITOR_API_KEY: 'key', PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9' });
  await writeFile(home.config, '{ "mouse": true }');
  const session = startInShell(home, [process.execPath, cli]);
  await session.run.waitForText('No parcels yet');
  await session.run.waitFor(() => modesLeftOn(session.run.outputSince(0)).includes('1006'), 'reports of the mouse');
  await session.run.type('a').waitForText('⏎ add');
  // On the list.
  await session.run.type('\u001b[<0;5;5M\u001b[<0;5;5m').waitForText('q quit');
  if (way === 'q') session.run.type('q');
  else process.kill(await session.programId(), way);
  await session.end();
  await session.expectRestored();
});
