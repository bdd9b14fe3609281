/** What `config` does with settings. */
export const configActions = ['get', 'set', 'unset', 'list', 'schema', 'edit'] as const;

/** One of them. */
export type ConfigAction = (typeof configActions)[number];
