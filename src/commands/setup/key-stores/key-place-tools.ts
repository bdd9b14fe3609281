import { dirname } from 'node:path';
import { createFindProgram } from '../../../process/find-program.ts';
import type { SetupPlaces } from '../configured.ts';
import type { KeyPlaceTools } from './key-place.ts';

/** {@link KeyPlaceTools} of a command. */
export function keyPlaceTools({ context, paths }: Pick<SetupPlaces, 'context' | 'paths'>): KeyPlaceTools {
  return { ...context, configFolder: dirname(paths.config), findProgram: createFindProgram(context) };
}
