import { pasteEnd } from './tokens.ts';

/** Most characters of a paste that are kept, as a long mail has; one more shows that there were more. */
export const longestPaste = 1_000_000;

/** A paste of which the end has not come yet. However long it is, it costs no more memory than {@link longestPaste}. */
export class UnfinishedPaste {
  #kept = '';
  /** May be the beginning of the mark that ends it. */
  #tail = '';

  /** Takes a read; answers what stands behind the end of the paste, or null while that has not come. */
  add(read: string): string | null {
    const seen = this.#tail + read;
    const end = seen.indexOf(pasteEnd);
    if (end === -1) {
      const tailFrom = Math.max(0, seen.length - pasteEnd.length + 1);
      this.#keep(seen.slice(0, tailFrom));
      this.#tail = seen.slice(tailFrom);
      return null;
    }
    this.#keep(seen.slice(0, end));
    this.#tail = '';
    return seen.slice(end + pasteEnd.length);
  }

  /** What has come of it, without a beginning of its end. */
  text(): string {
    const tail = this.#tail.slice(0, unfinishedEnd(this.#tail));
    return (this.#kept + tail).slice(0, longestPaste + 1);
  }

  #keep(text: string): void {
    this.#kept += text.slice(0, longestPaste + 1 - this.#kept.length);
  }
}

/** Where the beginning of an end mark stands that closes the text; its length when none does. */
function unfinishedEnd(text: string): number {
  for (let at = 0; at < text.length; at += 1) if (pasteEnd.startsWith(text.slice(at))) return at;
  return text.length;
}
