import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nonEmpty } from '../../../process/environment.ts';
import { entryOf, type KeyPlace, type KeyPlaceTools } from './key-place.ts';
import { placeOfProgram } from './programs.ts';

/** The password store of pass, which encrypts with GnuPG. */
export function passwordStore(tools: KeyPlaceTools): KeyPlace {
  const entry = (host: string): string => `parcel-monitor/${entryOf(host)}`;
  return placeOfProgram(tools, {
    program: 'pass',
    title: 'The password store of pass',
    whenMissing: 'Install it and run "pass init", or choose another place.',
    advice: 'Try "pass insert" by hand, or choose another place.',
    asksOnTerminal: true,
    detail: (host) => `pass show ${entry(host)}`,
    unusable: async () =>
      (await isInitialised(tools)) ? null : 'pass has no store yet. Run "pass init" with your GnuPG key first.',
    async keep({ key, host }, { run }) {
      await run(['insert', '--multiline', '--force', entry(host)], `${key}\n`);
      return ['show', entry(host)];
    },
  });
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
