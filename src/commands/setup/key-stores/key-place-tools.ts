import { createFindProgram } from '../../../process/find-program.ts';
import type { SetupPlaces } from '../configured.ts';
import { configFolder } from '../outranking.ts';
import type { KeyPlaceTools } from './key-place.ts';

/** {@link KeyPlaceTools} of a command. */
export function keyPlaceTools({ context, paths }: Pick<SetupPlaces, 'context' | 'paths'>): KeyPlaceTools {
  const { environment, homeDirectory, platform, random, runProgram } = context;
  return {
    environment,
    platform,
    homeDirectory,
    configFolder: configFolder(paths),
    random,
    findProgram: createFindProgram({ environment, platform }),
    runProgram,
  };
}
