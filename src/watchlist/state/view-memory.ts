import { isJsonObject } from '../../service/text/json.ts';
import { replaceableFormat } from '../document/document-format.ts';
import { JsonDocument } from '../document/json-document.ts';
import type { LockContext } from '../lock/folder-lock.ts';

/** Port to what a board remembers of how it was looked at last. Methods reject with a `StoreError`. */
export interface ViewMemory {
  /** The name of the time mode that was chosen last; null when none was, or when it cannot be read. */
  timeMode(): Promise<string | null>;
  keepTimeMode(timeMode: string): Promise<void>;
}

/** Remembers in a file (`view.json`, mode 0600). A damaged file counts as none; of several boards, the last one counts. */
export function createFileViewMemory(path: string, context: LockContext): ViewMemory {
  const document = new JsonDocument(path, { format: replaceableFormat(readView) }, context);
  return {
    // Without it the board looks as it does at first; what is wrong with the folder is reported by what needs it.
    timeMode: () =>
      document.read().then(
        (view) => view.timeMode,
        () => null,
      ),
    async keepTimeMode(timeMode) {
      await document.update(() => ({ timeMode }));
    },
  };
}

function readView(value: unknown): { readonly timeMode: string | null } {
  const timeMode = isJsonObject(value) ? value['timeMode'] : null;
  return { timeMode: typeof timeMode === 'string' ? timeMode : null };
}
