/** What Node writes to a terminal with. It is not part of Node's interface, but has been the same for a decade. */
interface TerminalHandle {
  setBlocking?(isBlocking: boolean): number;
}

/**
 * Decides whether a write to a terminal holds the whole process, signals and timers included, until the terminal takes
 * it (what Node does), or waits in memory. Does nothing for what is no terminal, and on Windows, where it cannot be
 * decided.
 */
export function setTerminalBlocking(stream: NodeJS.WriteStream, isBlocking: boolean): void {
  if (stream.isTTY !== true || process.platform === 'win32') return;
  const { _handle: handle } = stream as { readonly _handle?: TerminalHandle | null };
  handle?.setBlocking?.(isBlocking);
}
