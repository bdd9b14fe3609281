import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { clockShiftVariable } from './clock-shift.ts';

/**
 * Sets the clocks of all processes that inherit this environment, so that it is `startAt` now. Both instants are in
 * milliseconds since 1970; `machineNow` is the machine's own. The module that programs load is compiled here, once.
 */
export function shiftClocks(environment: NodeJS.ProcessEnv, startAt: number, machineNow = Date.now()): void {
  const source = readFileSync(fileURLToPath(new URL('./shifted-clock.ts', import.meta.url)), 'utf8');
  const folder = fileURLToPath(new URL('../../node_modules/.cache/parcel-monitor', import.meta.url));
  const preload = join(folder, 'shifted-clock.mjs');
  mkdirSync(folder, { recursive: true });
  const ownName = `${preload}.${process.pid}`;
  writeFileSync(ownName, transformSync(source, { loader: 'ts', format: 'esm', target: 'node20' }).code);
  renameSync(ownName, preload);
  environment[clockShiftVariable] = String(startAt - machineNow);
  const options = [environment['NODE_OPTIONS'] ?? '', `--import=${pathToFileURL(preload).href}`];
  environment['NODE_OPTIONS'] = options.join(' ').trim();
}
