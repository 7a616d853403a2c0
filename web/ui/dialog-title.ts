/** The title of a dialog that asks for something. It may hold names of any length. */
export const dialogTitle = { title: { fontSize: 17, fontWeight: 620, overflowWrap: 'anywhere' } } as const
