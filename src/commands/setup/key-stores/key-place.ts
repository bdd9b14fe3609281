import type { FindProgram } from '../../../process/find-program.ts';
import { NamedError } from '../../../service/failures/named-error.ts';
import type { KeySettings } from '../../configuration/api-key.ts';
import type { CommandContext } from '../../session/context.ts';

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
