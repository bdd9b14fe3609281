import { InvalidArgumentError } from 'commander';
import { webhookSignatures } from '../../service/webhook-rules.ts';
import type { ConfigAction } from '../config.ts';
import type { StoreAction } from '../store/store.ts';
import { type CommandRow, command, loaded, loadedInSession } from './command-row.ts';

const configActions: readonly ConfigAction[] = ['get', 'set', 'unset', 'list', 'schema', 'edit'];
const storeActions: readonly StoreAction[] = ['show', 'copy'];

export const toolCommands: readonly CommandRow[] = [
  command({
    name: 'setup',
    about: 'set up service, key, zone and notifications, in a conversation that ends in the board',
    options: {
      keyFromStdin: ['--key-from-stdin', 'without a conversation: the API key is on standard input'],
      keyCommand: [
        '--key-command <command>',
        'without a conversation: a command that prints the API key when it is needed',
      ],
      keyStore: ['--key-store <place>', 'where the key goes: file (the default), secret-tool or security'],
      header: ['--header <name>', 'header that carries the key'],
      offline: ['--offline', 'write without the call that proves service and key'],
    },
    examples: [
      ['setup', 'a conversation: the service, your key, your zone, first numbers'],
      ['setup --profile track123 --key-from-stdin < key.txt', 'without a terminal'],
    ],
    action: loaded(async () => (await import('../setup.ts')).runSetup),
  }),
  command({
    name: 'sandbox',
    about: 'run the embedded service with simulated couriers, for trying things out; ends with Ctrl-C',
    options: {
      port: ['--port <number>', 'port on 127.0.0.1; 0 takes any free one', { read: wholeNumber(65_535), usual: 0 }],
      speed: [
        '--speed <factor>',
        'how much faster than real time the couriers work',
        { read: positiveNumber, usual: 1 },
      ],
      seed: ['--seed <number>', 'the same seed gives the same journeys', { read: wholeNumber(2 ** 32 - 1), usual: 1 }],
      fault: [
        '--fault <fault>',
        'inject a fault; may be given several times: NAME, and behind it :p=0.3, :count=5, :OPERATION, :number=A1,B2 or a time such as :30s; an unknown name lists all; lag:30s, interval:1s, never-looked-up and skew:90s say how the service plans',
        { isRepeated: true },
      ],
      credit: [
        '--credit <number>',
        'registrations and instant calls that the account has left',
        { read: wholeNumber(10 ** 9) },
      ],
      couriers: [
        '--couriers <number>',
        'list at least so many couriers, with invented ones where there are too few',
        { read: wholeNumber(100_000) },
      ],
      webhook: ['--webhook <url>', 'call back this address of this machine on every change, as the service does'],
      webhookSignature: [
        '--webhook-signature <method>',
        'how callbacks are signed, as webhook.signature names it',
        { choices: webhookSignatures, usual: 'hmac' },
      ],
      profile: [
        '--profile <name>',
        'use header and base path of a known deployment, so that its clients need no change: track123',
      ],
      header: ['--header <name>', 'header that carries the key'],
      basePath: ['--base-path <path>', 'path below which the service is, such as /gateway/open-api'],
    },
    examples: [
      ['sandbox --port 8080 --speed 60', 'an hour in a minute; prints base URL and key'],
      ['sandbox --fault rate-limit-429:p=0.3', 'three of ten calls are refused'],
      ['sandbox --fault lag:30s --fault error-500:register', 'late records, and nothing can be registered'],
    ],
    action: loaded(async () => (await import('../paths.ts')).runSandbox),
  }),
  command({
    name: 'config',
    about: 'print or change settings: each by its path, checked when it is set; comments in config.json stay',
    arguments: [
      ['[action]', 'list when left out', configActions],
      ['[path]', 'a setting, such as zone, budget.queriesPerDay or couriers.dhl.postalCode'],
      ['[value...]', 'what it is to be; "-" reads it from standard input; lists as words, with commas, or as JSON'],
    ],
    options: {
      json: ['--json', 'with list and get: as JSON, version 1'],
    },
    examples: [
      ['config', 'all settings, with where each value comes from'],
      ['config set zone Europe/Berlin', 'checked; comments in the file stay'],
      ['config set notify.channels desktop,bell', 'a list'],
      ['config set apiKey - < key.txt', 'the key is never an argument'],
      ['config unset budget.queriesPerDay', 'the default holds again'],
      ['config edit', 'your $EDITOR, and a look at what comes of it'],
    ],
    action: loaded(async () => (await import('../config.ts')).runConfig),
  }),
  command({
    name: 'store',
    about: 'say where the watchlist is and who works on it; copy it between files and a database',
    arguments: [
      ['[action]', 'show when left out; copy needs where to', storeActions],
      ['[to...]', 'with copy: "file", or an address such as postgres://user@host/database'],
    ],
    options: {
      dryRun: ['--dry-run', 'with copy: say what would be copied'],
      json: ['--json', 'as JSON, version 1'],
    },
    examples: [
      ['store', 'where the watchlist is, its size, who works on it'],
      ['store copy postgres://ann@nas/parcels', 'all of it into a database, compared afterwards'],
    ],
    action: loaded(async () => (await import('../store/store.ts')).runStore),
  }),
  command({
    name: 'doctor',
    about: 'check configuration, key, service, clock, files and terminal, and say what to do',
    options: {
      json: ['--json', 'as JSON'],
      offline: ['--offline', 'send nothing'],
      verbose: ['--verbose', 'every check and setting, not only what is wrong and the main facts'],
    },
    examples: [
      ['doctor', 'what is wrong, and what to do'],
      ['doctor --offline --json', 'for scripts; sends nothing'],
    ],
    action: loaded(async () => (await import('../doctor.ts')).runDoctor),
  }),
  command({
    name: 'notify',
    about: 'try the channels on which changes are notified: bell, terminal, desktop, command',
    options: {
      test: ['--test', 'send a message on each channel that is set, or on all where none is'],
    },
    examples: [
      ['notify --test', 'a message on each channel that is set'],
      ['config set notify.channels desktop,bell', 'sets two of them'],
    ],
    action: loadedInSession(async () => (await import('../notify.ts')).runNotify),
  }),
  command({
    name: 'completion',
    about: 'print the completion script of a shell: bash, zsh or fish',
    usage: '[options] <shell>',
    arguments: [['[shell]', 'bash, zsh or fish'], ['[line...]']],
    options: {
      complete: ['--complete', 'for the script: what completes the line behind "--"', { isHidden: true }],
      table: ['--table', 'for the manual: all commands as JSON', { isHidden: true }],
    },
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/parcel-monitor', 'for bash'],
      ['completion zsh > ~/.zfunc/_parcel-monitor', 'for zsh, where ~/.zfunc is in fpath'],
      ['completion fish > ~/.config/fish/completions/parcel-monitor.fish', 'for fish'],
    ],
    action: loaded(async () => (await import('../completion/completion.ts')).runCompletion),
  }),
  command({
    name: 'paths',
    about: 'print where the program keeps its files',
    options: {},
    examples: [
      ['paths', 'name and path of each file'],
      ['paths | grep ^config', 'where the settings are'],
    ],
    action: loaded(async () => (await import('../paths.ts')).runPaths),
  }),
];

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
    }
    return value;
  };
}
