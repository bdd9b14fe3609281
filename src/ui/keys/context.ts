/** Where a key is looked up: the focused pane or overlay, then `global`. */
export type KeyContext =
  | 'global'
  | 'list'
  | 'timeline'
  | 'add'
  | 'filter'
  | 'prompt'
  | 'confirm'
  | 'picker'
  | 'news'
  | 'order'
  | 'help'
  | 'details';
