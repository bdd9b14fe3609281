import { entryOf, type KeyPlace, type KeyPlaceTools } from './key-place.ts';
import { placeOfProgram } from './programs.ts';

/** The login keychain of macOS. */
export function keychain(tools: KeyPlaceTools): KeyPlace {
  const entry = (host: string): readonly string[] => ['-s', 'parcel-monitor', '-a', entryOf(host)];
  return placeOfProgram(tools, {
    program: 'security',
    title: 'The keychain of macOS',
    whenMissing: 'It is part of macOS.',
    advice: 'Unlock the login keychain ("security unlock-keychain"), or choose another place.',
    detail: (host) => `security find-generic-password ${entry(host).join(' ')}`,
    async keep({ key, host }, { run }) {
      // With -i it reads its commands from standard input, the only way without the key among its arguments; hexadecimal
      // needs no quotes.
      const hexadecimal = Buffer.from(key, 'ascii').toString('hex');
      await run(['-i'], `add-generic-password -U ${entry(host).join(' ')} -l parcel-monitor -X ${hexadecimal}\n`);
      return ['find-generic-password', ...entry(host), '-w'];
    },
  });
}
