/** What cannot be loaded without a connection is loaded when there is one. */
export const onceOnline = <Room>(load: () => Promise<Room>): Promise<Room> =>
  load().catch((error) => {
    if (navigator.onLine) throw error
    return new Promise((resolve) => {
      addEventListener('online', () => resolve(load()), { once: true })
    })
  })
