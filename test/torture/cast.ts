/** The parcel in whose label and history a writer counts. */
export const counterId = 'counter';
/** The parcel that goes into the trash and comes back with every count. */
export const moverId = 'mover';
