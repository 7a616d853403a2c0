/** Nothing is of such a time. Days are written so that their letters are in order. */
export const areReversed = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  !!from && !!to && from > to
