const base = '/app/'
const asked = new Map<string, Promise<void>>()

/**
 * Stands in for what Vite loads parts with. A browser that did not get a script does not ask for it again as long as
 * the page is open: so all files of a part are fetched first, and run when they are there.
 */
export async function __vitePreload<Room>(load: () => Promise<Room>, files: string[] = []): Promise<Room> {
  const itself = /import\(["'`]\.\/(.+?)["'`]\)/.exec(String(load))?.[1]
  const all = itself ? [...files, `assets/${itself}`] : files
  await Promise.all([...new Set(all)].map((file) => fetchOnce(base + file)))
  return load()
}

function fetchOnce(path: string): Promise<void> {
  const known = asked.get(path) ?? (isInPage(path) ? Promise.resolve() : fetched(path))
  asked.set(path, known)
  known.catch(() => asked.delete(path))
  return known
}

const isInPage = (path: string) =>
  document.querySelector(`script[src="${path}"], link[href="${path}"]`) !== null

async function fetched(path: string): Promise<void> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} did not come.`)
  // To its end: from here on it is in the browser's cache.
  await response.arrayBuffer()
  if (path.endsWith('.css')) await styled(path)
}

const styled = (path: string) =>
  new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = path
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`${path} did not come.`))
    })
    document.head.append(link)
  })
