import { describe, expect, it } from 'vitest';
import { apiKeySource, fetchApiKey, splitCommand } from '../../src/commands/api-key.ts';
import { ApiKeyMissingError } from '../../src/commands/errors.ts';
import { createRunProgram } from '../../src/commands/run-command.ts';

const run = createRunProgram({ PATH: process.env['PATH'], ANSWER: 'from-environment' });
const command = (script: string) => apiKeySource({}, { apiKeyCommand: [process.execPath, '-e', script] });

describe('the API key', () => {
  it('is what the command prints, without the line break', async () => {
    expect(await fetchApiKey(command('console.log("abc-123")'), run)).toBe('abc-123');
  });

  it('comes from a command that sees the environment the user has', async () => {
    expect(await fetchApiKey(command('console.log(process.env.ANSWER)'), run)).toBe('from-environment');
  });

  it('is missing when the command fails, and nothing of its output gets into the message', async () => {
    const failing = command('console.log("half-a-secret"); console.error("more-secret"); process.exit(7)');
    const error = await fetchApiKey(failing, run).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiKeyMissingError);
    expect(String(error)).toMatch(/ended with code 7/);
    expect(String(error)).not.toMatch(/secret/);
  });

  it('is missing when there is no such program', async () => {
    await expect(fetchApiKey(apiKeySource({}, { apiKeyCommand: 'no-such-program-here' }), run)).rejects.toThrow(
      /no-such-program-here was not found/,
    );
  });

  it('is missing when the command prints nothing', async () => {
    await expect(fetchApiKey(command(''), run)).rejects.toThrow(/empty/);
  });

  it('never holds what a header cannot carry', async () => {
    const source = apiKeySource({ PARCEL_MONITOR_API_KEY: 'two\nlines' }, {});
    await expect(fetchApiKey(source, run)).rejects.toThrow(ApiKeyMissingError);
    await expect(fetchApiKey(source, run)).rejects.not.toThrow(/lines$/);
  });

  it('may be told to run as one text with quotes', () => {
    expect(splitCommand('pass show "my parcels" \'x y\'z')).toEqual(['pass', 'show', 'my parcels', 'x yz']);
  });
});
