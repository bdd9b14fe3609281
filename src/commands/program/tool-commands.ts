import { InvalidArgumentError } from 'commander';
import { webhookSignatures } from '../../service/webhook.ts';
import type { ConfigAction } from '../config.ts';
import type { StoreAction } from '../store.ts';
import { type CommandRow, command, jsonOption, type OptionRow, repeatable, sessionCommand } from './command-row.ts';

const configActions: readonly ConfigAction[] = ['get', 'set', 'unset', 'list', 'schema', 'edit'];
const header: OptionRow = ['--header <name>', 'HTTP header for the API key'];
const storeActions: readonly StoreAction[] = ['show', 'copy'];

export const toolCommands: readonly CommandRow[] = [
  command({
    name: 'setup',
    about: 'set up the service, API key, zone and notifications step by step',
    options: {
      keyFromStdin: ['--key-from-stdin', 'read the API key from standard input instead of asking for it'],
      keyCommand: [
        '--key-command <command>',
        'run this command whenever the API key is needed, instead of asking for it',
      ],
      keyStore: ['--key-store <place>', 'where to save the key: file (default), secret-tool or security'],
      header,
      offline: ['--offline', 'save without checking the service and the API key'],
    },
    examples: [
      ['setup', 'answer a few questions; then the board opens'],
      ['setup --profile track123 --key-from-stdin < key.txt', 'in scripts'],
    ],
    load: async () => (await import('../setup.ts')).runSetup,
  }),
  command({
    name: 'sandbox',
    about: 'run a local service with simulated couriers to try things out; Ctrl+C stops it',
    options: {
      port: [
        '--port <number>',
        'port on 127.0.0.1; 0 picks a free port',
        { read: wholeNumber(65_535), defaultValue: 0 },
      ],
      speed: ['--speed <factor>', 'simulated seconds per real second', { read: positiveNumber, defaultValue: 1 }],
      seed: [
        '--seed <number>',
        'the same seed always produces the same journeys',
        { read: wholeNumber(2 ** 32 - 1), defaultValue: 1 },
      ],
      fault: [
        '--fault <fault>',
        'inject a fault: NAME with :p=0.3, :count=5, :OPERATION, :number=A1,B2 or a time such as :30s; an unknown name lists all faults; lag:30s, interval:1s, never-looked-up and skew:90s change when records are updated; may be repeated',
        repeatable,
      ],
      credit: [
        '--credit <number>',
        'how many registrations and instant calls the account has left',
        { read: wholeNumber(10 ** 9) },
      ],
      couriers: ['--couriers <number>', 'list at least this many couriers', { read: wholeNumber(100_000) }],
      webhook: ['--webhook <url>', 'call this local address on every change, as the service does'],
      webhookSignature: [
        '--webhook-signature <method>',
        'how callbacks are signed (see the setting webhook.signature)',
        { choices: webhookSignatures, defaultValue: 'hmac' },
      ],
      profile: ['--profile <name>', 'use the header and base path of a known service: track123'],
      header,
      basePath: ['--base-path <path>', 'base path of the service, such as /gateway/open-api'],
    },
    examples: [
      ['sandbox --port 8080 --speed 60', 'an hour passes in a minute'],
      ['sandbox --fault rate-limit-429:p=0.3', '3 of 10 calls are rejected'],
      ['sandbox --fault lag:30s --fault error-500:register', 'records are late and registrations fail'],
    ],
    load: async () => (await import('../sandbox.ts')).runSandbox,
  }),
  command({
    name: 'config',
    about: 'print or change settings; comments in config.json are kept',
    arguments: [
      ['[action]', 'default: list', configActions],
      ['[path]', 'name of a setting, such as zone, budget.queriesPerDay or couriers.dhl.postalCode'],
      ['[value...]', 'new value ("-": read from standard input); give a list as words, with commas, or as JSON'],
    ],
    options: { json: ['--json', 'with list and get: print JSON'] },
    examples: [
      ['config', 'all settings and where each value comes from'],
      ['config set zone Europe/Berlin', 'change a setting'],
      ['config set notify.channels desktop,bell', 'set a list'],
      ['config set apiKey - < key.txt', 'set the API key, which you cannot pass as an argument'],
      ['config unset budget.queriesPerDay', 'go back to the default'],
      ['config edit', 'edit config.json in $EDITOR and check it'],
    ],
    load: async () => (await import('../config.ts')).runConfig,
  }),
  command({
    name: 'store',
    about: 'show where the watchlist is and who uses it, or copy it between files and a database',
    arguments: [
      ['[action]', 'default: show', storeActions],
      ['[to...]', 'with copy: the target, which is "file" or postgres://user@host/database'],
    ],
    options: {
      dryRun: ['-n, --dry-run', 'with copy: print what would be copied; change nothing'],
      json: jsonOption,
    },
    examples: [
      ['store', 'show where the watchlist is, its size and its users'],
      ['store copy postgres://ann@nas/parcels', 'copy it to a database and compare the result'],
    ],
    load: async () => (await import('../store.ts')).runStore,
  }),
  command({
    name: 'doctor',
    about: 'check your settings, API key, service, clock, files and terminal, and show how to fix problems',
    options: {
      json: jsonOption,
      offline: ['--offline', 'do not call the service'],
      verbose: ['--verbose', 'print every check and setting'],
      report: [
        '--report [file]',
        'save a report that you can attach to a bug report (default: parcel-monitor-report.txt; "-": only print it)',
      ],
    },
    examples: [
      ['doctor', 'find problems and show how to fix them'],
      ['doctor --offline --json', 'for scripts; does not call the service'],
      ['doctor --report', 'print a report with all secrets removed, and save it to a file'],
    ],
    load: async () => (await import('../doctor.ts')).runDoctor,
  }),
  sessionCommand({
    name: 'notify',
    about: 'test your notification channels',
    options: {
      test: ['--test', 'send a test message through each channel in notify.channels, or all local ones if it is empty'],
      json: jsonOption,
    },
    examples: [
      ['notify --test', 'send a test message'],
      ['config set notify.channels desktop,bell', 'choose the channels'],
    ],
    load: async () => (await import('../notify.ts')).runNotify,
  }),
  command({
    name: 'completion',
    about: 'print or install the completion script for bash, zsh, fish or PowerShell',
    usage: '[options] <shell>|install [shell]',
    arguments: [
      ['[shell]', 'bash, zsh, fish or powershell; or "install", optionally followed by a shell (default: yours)'],
      ['[line...]'],
    ],
    options: {
      complete: ['--complete', 'for the script: complete the line after "--"', { isHidden: true }],
    },
    examples: [
      ['completion install', 'install it for your shell'],
      ['completion bash > ~/.local/share/bash-completion/completions/parcel-monitor', 'for bash'],
      ['completion zsh > ~/.zfunc/_parcel-monitor', 'for zsh, with ~/.zfunc in fpath'],
      ['completion fish > ~/.config/fish/completions/parcel-monitor.fish', 'for fish'],
    ],
    load: async () => (await import('../completion/completion.ts')).runCompletion,
  }),
  command({
    name: 'paths',
    about: 'print where parcel-monitor keeps its files',
    options: { json: jsonOption },
    examples: [
      ['paths', 'the name and path of each file and folder'],
      ['paths | grep ^config', 'the path to config.json'],
    ],
    load: async () => (await import('../config.ts')).runPaths,
  }),
];

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${max}.`);
    }
    return value;
  };
}
