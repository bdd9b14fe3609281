/** Holds the whole process up: for what has to be done before anything else may run. */
export function pauseProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
