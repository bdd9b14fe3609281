import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCliUser } from '../support/cli-user.ts';
import { createHurryingClock } from '../support/hurrying-clock.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

it('adding takes the key from a command of the configuration', async () => {
  const clock = createHurryingClock();
  const sandbox = await startTestSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const user = await createCliUser({ clock });
  onTestFinished(() => user.remove());
  const config = join(user.home, 'mine.json');
  const apiKeyCommand = [process.execPath, '-e', `console.log(${JSON.stringify(sandbox.apiKey)})`];
  await writeFile(config, JSON.stringify({ baseUrl: sandbox.baseUrl, apiKeyCommand, colour: 'red' }), { mode: 0o600 });
  const { exitCode, stdout, stderr } = await user.run(['add', '1Z999AA10123456784', '--config', config]);
  expect(stdout).toMatch(/registered/);
  expect(stderr).toMatch(/"colour" is unknown and ignored/);
  expect(exitCode).toBe(0);
});
