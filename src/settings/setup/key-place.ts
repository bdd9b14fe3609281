import { dirname } from 'node:path';
import { NamedError } from '../../lib/error-text.ts';
import { createFindProgram, type FindProgram } from '../../system/child-processes.ts';
import { ProgramFailedError } from '../../system/run-program.ts';
import type { KeySettings } from '../api-key.ts';
import type { CommandContext } from '../session/context.ts';
import type { SetupPlaces } from './configured.ts';

/** What the places where a key can be kept are reached with. */
export interface KeyPlaceTools
  extends Pick<CommandContext, 'environment' | 'homeDirectory' | 'platform' | 'random' | 'runProgram'> {
  /** The folder of `config.json`. */
  readonly configFolder: string;
  readonly findProgram: FindProgram;
}

/** The key that is to be kept. */
export interface KeyToKeep {
  readonly key: string;
  /** Host of the service, with its port where one is given: keys of several services are kept apart by it. */
  readonly host: string;
}

/** A place where the key can be kept. */
export interface KeyPlace {
  /** Names it on the command line and in code. */
  readonly id: string;
  /** For a list. */
  readonly title: string;
  /** Which file, program or entry; half a sentence. */
  detail(host: string): string;
  /** Why it cannot be used here and what to do, as a sentence; null when it can, as far as that can be told without asking for anything. */
  unusable(): Promise<string | null>;
  /** Whether its program may ask on the terminal; others have a window of their own, or nothing to ask. */
  readonly asksOnTerminal: boolean;
  /**
   * Keeps the key and answers the setting that has it read back. The key goes through standard input, since others can
   * read arguments. Rejects with a {@link KeyPlaceError}.
   */
  keep(key: KeyToKeep): Promise<KeySettings>;
}

/** The key could not be kept, or not be read back. The message says what to do, and holds nothing of the key. */
export class KeyPlaceError extends NamedError {
  readonly kind = 'key-place';
}

/** How long a store may take, in milliseconds: it may ask its user to unlock it. */
export const keepLimitMs = 120_000;

/** A host as a part of an entry's name: without the brackets of an address. */
export const entryOf = (host: string): string => host.replace(/[[\]]/g, '');

/** {@link KeyPlaceTools} of a command. */
export function keyPlaceTools({ context, paths }: Pick<SetupPlaces, 'context' | 'paths'>): KeyPlaceTools {
  return { ...context, configFolder: dirname(paths.config), findProgram: createFindProgram(context) };
}

/** A program that keeps keys, and what is particular about it. */
interface KeepingProgram extends Pick<KeyPlace, 'title' | 'detail'> {
  /** What it is called, and the place with it. */
  readonly program: string;
  /** What it is or where one gets it, as a sentence for who has not installed it. */
  readonly whenMissing: string;
  /** What to do when it fails, a sentence. */
  readonly advice: string;
  /** Whether it may ask on the terminal; left out, it does not. */
  readonly asksOnTerminal?: boolean;
  /** Why it cannot be used although it is installed, as `KeyPlace.unusable`; left out, it can. */
  unusable?(): string | null | Promise<string | null>;
  /** Keeps the key, and answers with which words the program prints it. Rejects with a {@link KeyPlaceError}. */
  keep(key: KeyToKeep, call: ProgramCalls): Promise<readonly string[]>;
}

/** Calls of the program, with words and standard input. Reject with a {@link KeyPlaceError}. */
export interface ProgramCalls {
  /** Answers what it printed. */
  run(words: readonly string[], input?: string): Promise<string>;
  /** Answers the JSON that it printed; null for what is none. Its words are not repeated: they may hold the key. */
  ask(words: readonly string[], input?: string): Promise<unknown>;
}

/** The place that a program keeps. */
export function placeOfProgram(tools: KeyPlaceTools, keeping: KeepingProgram): KeyPlace {
  const { advice, asksOnTerminal = false, program, title, whenMissing } = keeping;
  return {
    id: program,
    title,
    asksOnTerminal,
    detail: (host) => keeping.detail(host),
    async unusable() {
      if ((await tools.findProgram(program)) === null) return `The program ${program} is not installed. ${whenMissing}`;
      return (await keeping.unusable?.()) ?? null;
    },
    async keep(key) {
      const name = await lastingName(program, tools);
      const run: ProgramCalls['run'] = async (words, input = '') => {
        try {
          return await tools.runProgram(name, words, { input, limitMs: keepLimitMs, asks: asksOnTerminal });
        } catch (error) {
          if (!(error instanceof ProgramFailedError)) throw error;
          const message = `${name} ${error.reason}, and the key is not stored there. ${advice}`;
          throw new KeyPlaceError(message, { cause: error });
        }
      };
      const ask: ProgramCalls['ask'] = async (words, input) => jsonOf(await run(words, input));
      return { apiKeyCommand: [name, ...(await keeping.keep(key, { run, ask }))] };
    },
  };
}

/** Where every shell, timer and service looks for programs, however little else it is told. */
const foundEverywhere: ReadonlySet<string> = new Set(['/bin', '/usr/bin']);

/**
 * How a program is named in a setting: by its name where everything finds it, else by its path, since cron, systemd and
 * launchd look in fewer folders than a terminal does.
 */
async function lastingName(name: string, { findProgram }: Pick<KeyPlaceTools, 'findProgram'>): Promise<string> {
  const path = await findProgram(name);
  return path === null || foundEverywhere.has(dirname(path)) ? name : path;
}

function jsonOf(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    // The caller says what is missing.
    return null;
  }
}
