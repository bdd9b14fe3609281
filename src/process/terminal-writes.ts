/** What Node writes to a terminal with. It is not part of Node's interface, but has been the same for a decade. */
interface TerminalHandle {
  setBlocking?(isBlocking: boolean): number;
}

/**
 * Has a write to a terminal wait in memory, where Node's holds the whole process, signals and timers included, until the
 * terminal takes it. Does nothing for what is no terminal, and on Windows, where it cannot be decided.
 */
export function neverBlock(stream: NodeJS.WriteStream): void {
  if (stream.isTTY !== true || process.platform === 'win32') return;
  const { _handle: handle } = stream as { readonly _handle?: TerminalHandle | null };
  handle?.setBlocking?.(false);
}
