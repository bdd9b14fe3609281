import { entryOf, type KeyPlace, type KeyPlaceTools } from './key-place.ts';
import { lastingName, missingProgram, runStore } from './programs.ts';

const program = 'security';
const service = 'parcel-monitor';

/** The login keychain of macOS. */
export function keychain(tools: KeyPlaceTools): KeyPlace {
  return {
    id: 'security',
    title: 'The keychain of macOS',
    asksOnTerminal: false,
    detail: (host) => `${program} find-generic-password -s ${service} -a ${entryOf(host)}`,
    unusable: () => missingProgram(program, tools, 'It is part of macOS.'),
    async keep({ key, host }) {
      const name = await lastingName(program, tools);
      const account = entryOf(host);
      // With -i it reads its commands from standard input, the only way without the key among its arguments; hexadecimal
      // needs no quotes.
      const hexadecimal = Buffer.from(key, 'ascii').toString('hex');
      const command = `add-generic-password -U -s ${service} -a ${account} -l parcel-monitor -X ${hexadecimal}\n`;
      await runStore(
        tools,
        [name, '-i'],
        command,
        'Unlock the login keychain ("security unlock-keychain"), or choose another place.',
      );
      return { apiKeyCommand: [name, 'find-generic-password', '-s', service, '-a', account, '-w'] };
    },
  };
}
