import { Agent, request } from 'undici';

/** The parts of undici that carry calls. A module of its own, so that it can be loaded late and still be bundled by name. */
export const httpClient = { Agent, request } as const;
