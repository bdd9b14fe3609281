import { ProgramFailedError } from '../../../process/run-program.ts';
import { apiKeySource, fetchApiKey, type KeySettings } from '../../configuration/api-key.ts';
import { ApiKeyMissingError } from '../../session/errors.ts';
import { bitwarden } from './bitwarden.ts';
import { keyFile } from './key-file.ts';
import { type KeyPlace, KeyPlaceError, type KeyPlaceTools, type KeyToKeep, keepLimitMs } from './key-place.ts';
import { keychain } from './keychain.ts';
import { onePassword } from './one-password.ts';
import { passwordStore } from './password-store.ts';
import { secretService } from './secret-service.ts';

/** All places where a key can be kept on this system, those of the system first; whether they can be used is another question. */
export function keyPlaces(tools: KeyPlaceTools): readonly KeyPlace[] {
  const { platform } = tools;
  const ofTheSystem = platform === 'darwin' ? [keychain] : platform === 'win32' ? [] : [secretService];
  // pass is a shell script.
  const ofTheShell = platform === 'win32' ? [] : [passwordStore];
  return [...ofTheSystem, keyFile, ...ofTheShell, onePassword, bitwarden].map((place) => place(tools));
}

/**
 * Keeps the key in a place and reads it back as every start will. Answers the setting to write. Rejects with a
 * {@link KeyPlaceError}.
 */
export async function keepAndReadBack(place: KeyPlace, key: KeyToKeep, tools: KeyPlaceTools): Promise<KeySettings> {
  const settings = await place.keep(key);
  const source = apiKeySource({}, settings, null, tools.configFolder);
  // It may ask for a passphrase now; the usual limit would be over before that is typed.
  const patiently: KeyPlaceTools['runProgram'] = (program, given) =>
    tools.runProgram(program, given, { limitMs: keepLimitMs, asks: place.asksOnTerminal });
  let found: string | null;
  try {
    found = await fetchApiKey(source, patiently);
  } catch (error) {
    if (!(error instanceof ApiKeyMissingError || error instanceof ProgramFailedError)) throw error;
    throw new KeyPlaceError(
      `The key was stored (${place.title}), but cannot be read back: ${error.message} Choose another place, or try again.`,
      { cause: error },
    );
  }
  if (found === key.key) return settings;
  throw new KeyPlaceError(
    `What is read back (${place.title}) is another key than the one that was stored. Look at ${place.detail(key.host)}, or choose another place.`,
  );
}
