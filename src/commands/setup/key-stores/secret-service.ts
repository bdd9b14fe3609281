import { nonEmpty } from '../../../process/environment.ts';
import { entryOf, type KeyPlace, type KeyPlaceTools } from './key-place.ts';
import { placeOfProgram } from './programs.ts';

/** The keyring of a Linux or BSD desktop (GNOME Keyring, KWallet, KeePassXC), by the tool of libsecret. */
export function secretService(tools: KeyPlaceTools): KeyPlace {
  const attributes = (host: string): readonly string[] => ['service', 'parcel-monitor', 'host', entryOf(host)];
  return placeOfProgram(tools, {
    program: 'secret-tool',
    title: "The desktop's keyring",
    whenMissing: 'On Debian it is in libsecret-tools, elsewhere in libsecret.',
    advice: 'See that a keyring such as GNOME Keyring or KWallet runs and is unlocked, or choose another place.',
    detail: (host) => `secret-tool lookup ${attributes(host).join(' ')}`,
    unusable: () =>
      nonEmpty(tools.environment['DBUS_SESSION_BUS_ADDRESS']) === undefined &&
      nonEmpty(tools.environment['XDG_RUNTIME_DIR']) === undefined
        ? 'No session of a desktop is here (DBUS_SESSION_BUS_ADDRESS is not set), and the keyring belongs to one.'
        : null,
    async keep({ key, host }, { run }) {
      await run(['store', `--label=parcel-monitor: API key for ${host}`, ...attributes(host)], key);
      return ['lookup', ...attributes(host)];
    },
  });
}
