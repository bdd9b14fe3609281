/** What the bare program shows last. */
export const bareMarker = 'All of this is drawn.';
