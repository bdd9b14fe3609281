import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nonEmpty } from '../../../process/environment.ts';
import { entryOf, type KeyPlace, type KeyPlaceTools } from './key-place.ts';
import { lastingName, missingProgram, runStore } from './programs.ts';

const program = 'pass';

/** The password store of pass, which encrypts with GnuPG. */
export function passwordStore(tools: KeyPlaceTools): KeyPlace {
  const entry = (host: string): string => `parcel-monitor/${entryOf(host)}`;
  return {
    id: 'pass',
    title: 'The password store of pass',
    asksOnTerminal: true,
    detail: (host) => `${program} show ${entry(host)}`,
    async unusable() {
      const missing = await missingProgram(program, tools, 'Install it and run "pass init", or choose another place.');
      if (missing !== null) return missing;
      return (await isInitialised(tools)) ? null : 'pass has no store yet. Run "pass init" with your GnuPG key first.';
    },
    async keep({ key, host }) {
      const name = await lastingName(program, tools);
      await runStore(
        tools,
        [name, 'insert', '--multiline', '--force', entry(host)],
        `${key}\n`,
        'Try "pass insert" by hand, or choose another place.',
        true,
      );
      return { apiKeyCommand: [name, 'show', entry(host)] };
    },
  };
}

async function isInitialised({ environment, homeDirectory }: KeyPlaceTools): Promise<boolean> {
  const folder =
    nonEmpty(environment['PASSWORD_STORE_DIR']) ??
    (homeDirectory === null ? null : join(homeDirectory, '.password-store'));
  if (folder === null) return false;
  try {
    return (await stat(join(folder, '.gpg-id'))).isFile();
  } catch {
    // Without that file pass says the same.
    return false;
  }
}
