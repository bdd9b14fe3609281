/** Something that a person should know about our files, e.g. that a damaged one was moved aside. */
export interface FileNotice {
  /**
   * `damaged-file-moved`: a file was not whole. `file-gone`: it was removed while the program runs. `no-backup`: the
   * daily copy could not be made. `migrated`: a file of an older version was brought to the newest. `history-left`: the
   * history of a removed parcel could not be moved to the trash.
   */
  readonly kind: 'damaged-file-moved' | 'file-gone' | 'no-backup' | 'migrated' | 'history-left';
  /** Names the files and says what to do. */
  readonly message: string;
}
