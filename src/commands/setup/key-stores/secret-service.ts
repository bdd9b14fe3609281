import { nonEmpty } from '../../../process/environment.ts';
import { entryOf, type KeyPlace, type KeyPlaceTools } from './key-place.ts';
import { lastingName, missingProgram, runStore } from './programs.ts';

const program = 'secret-tool';

/** The keyring of a Linux or BSD desktop (GNOME Keyring, KWallet, KeePassXC), by the tool of libsecret. */
export function secretService(tools: KeyPlaceTools): KeyPlace {
  const attributes = (host: string): readonly string[] => ['service', 'parcel-monitor', 'host', entryOf(host)];
  return {
    id: 'secret-tool',
    title: "The desktop's keyring",
    asksOnTerminal: false,
    detail: (host) => `${program} lookup ${attributes(host).join(' ')}`,
    async unusable() {
      const missing = await missingProgram(
        program,
        tools,
        'On Debian it is in libsecret-tools, elsewhere in libsecret.',
      );
      if (missing !== null) return missing;
      return nonEmpty(tools.environment['DBUS_SESSION_BUS_ADDRESS']) === undefined &&
        nonEmpty(tools.environment['XDG_RUNTIME_DIR']) === undefined
        ? 'No session of a desktop is here (DBUS_SESSION_BUS_ADDRESS is not set), and the keyring belongs to one.'
        : null;
    },
    async keep({ key, host }) {
      const name = await lastingName(program, tools);
      await runStore(
        tools,
        [name, 'store', `--label=parcel-monitor: API key for ${host}`, ...attributes(host)],
        key,
        'See that a keyring such as GNOME Keyring or KWallet runs and is unlocked, or choose another place.',
      );
      return { apiKeyCommand: [name, 'lookup', ...attributes(host)] };
    },
  };
}
