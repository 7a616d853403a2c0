interface Shared {
  users: number
  made: Promise<{ end(): Promise<void> }>
}

// Each project reads its setup anew: what is made once for all of them stands outside of the modules.
const everywhere = globalThis as { sharedByProjects?: Record<string, Shared> }
everywhere.sharedByProjects ??= {}
const all = everywhere.sharedByProjects

/** Made for the first project that asks, ended when the last one lets go. */
export async function shared<Made extends { end(): Promise<void> }>(name: string, make: () => Promise<Made>) {
  all[name] ??= { users: 0, made: make() }
  const one = all[name]
  one.users++
  const made = (await one.made) as Made
  return {
    ...made,
    async letGo() {
      if (--one.users > 0) return
      delete all[name]
      await made.end()
    },
  }
}
