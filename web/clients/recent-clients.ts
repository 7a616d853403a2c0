const most = 4

/** The clients a person opened last on this machine, newest first. */
export function recentClients(userId: string) {
  const place = `asset-library:recent-clients:${userId}`
  const all = (): string[] => JSON.parse(localStorage.getItem(place) ?? '[]')
  return {
    all,
    remember(clientId: string) {
      const others = all().filter((other) => other !== clientId)
      localStorage.setItem(place, JSON.stringify([clientId, ...others].slice(0, most)))
    },
  }
}
