import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { clockShiftVariable } from './clock-shift.ts';

/**
 * Shifts the clocks of all processes that inherit this environment, so that it is now `startAt`. Both times are in
 * milliseconds since 1970; `machineNow` is the machine's own. Also compiles the module that those processes preload.
 */
export function shiftClocks(environment: NodeJS.ProcessEnv, startAt: number, machineNow = Date.now()): void {
  const source = readFileSync(fileURLToPath(new URL('./shifted-clock.ts', import.meta.url)), 'utf8');
  const folder = fileURLToPath(new URL('../../node_modules/.cache/parcel-monitor', import.meta.url));
  const preload = join(folder, 'shifted-clock.mjs');
  mkdirSync(folder, { recursive: true });
  const tempPath = `${preload}.${process.pid}`;
  writeFileSync(tempPath, transformSync(source, { loader: 'ts', format: 'esm', target: 'node20' }).code);
  renameSync(tempPath, preload);
  environment[clockShiftVariable] = String(startAt - machineNow);
  const options = [environment['NODE_OPTIONS'] ?? '', `--import=${pathToFileURL(preload).href}`];
  environment['NODE_OPTIONS'] = options.join(' ').trim();
}
