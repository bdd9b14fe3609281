/** Where a key is looked up: the focused pane or overlay, then `field` where a line is typed, then `global`. */
export type KeyContext =
  | 'global'
  | 'field'
  | 'list'
  | 'timeline'
  | 'add'
  | 'filter'
  | 'prompt'
  | 'confirm'
  | 'picker'
  | 'news'
  | 'scan'
  | 'order'
  | 'help'
  | 'details'
  | 'setup'
  | 'setup-field';
