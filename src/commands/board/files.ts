import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { printableText } from '../../lib/clean-text.ts';
import { readBytes } from '../../settings/read-text.ts';
import type { BoardFiles, CommandContext } from '../../settings/session/context.ts';

const maxNames = 200;
const maxPathLength = 4_096;

/** Removes the quotes and backslashes with which terminals paste the path of a file that is dragged onto them. */
const unquoted = (typed: string): string => {
  const [, , inside] = /^(['"])(.*)\1$/.exec(typed) ?? [];
  return inside ?? typed.replace(/\\([ '"()&[\]])/g, '$1');
};

/** Reads files for the board, and completes their names. `~` is the home folder. */
export function boardFiles(context: Pick<CommandContext, 'homeDirectory' | 'stdin'>): BoardFiles {
  const whole = (path: string): string =>
    context.homeDirectory !== null && /^~(?:\/|$)/.test(path) ? join(context.homeDirectory, path.slice(1)) : path;
  return {
    read: async (typed) => await readBytes(context, whole(unquoted(typed.trim()))),
    isPath(pasted) {
      const path = unquoted(pasted.trim());
      if (pasted.length > maxPathLength || !/^(?:~?\/|[A-Z]:\\)[^\r\n]+$/i.test(path)) return false;
      try {
        return statSync(whole(path)).isFile();
      } catch {
        return false;
      }
    },
    beginningWith(typed) {
      const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
      const begun = typed.slice(folder.length);
      try {
        return readdirSync(whole(folder) || '.', { withFileTypes: true })
          .filter(({ name }) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
          .filter(({ name }) => printableText(name) === name)
          .slice(0, maxNames)
          .map((entry) => `${folder}${entry.name}${isFolder(whole(folder), entry) ? '/' : ''}`)
          .sort();
      } catch {
        // If the folder cannot be read, there is nothing to complete. Reading the file reports the reason.
        return [];
      }
    },
  };
}

function isFolder(folder: string, entry: { readonly name: string; isDirectory(): boolean; isSymbolicLink(): boolean }) {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() === true;
}
