/** Somebody in a browser at a vendor: follows where it leads, with its cookies, and fills in what it asks. */
export async function visit(
  authorizationUrl: string,
  consents = true,
  login = 'owner',
): Promise<Record<string, string>> {
  const { origin } = new URL(authorizationUrl)
  const jar = new Map<string, string>()
  let next = { url: authorizationUrl, form: undefined as Record<string, string> | undefined }
  for (let step = 0; step < 20; step++) {
    const answer = await fetch(next.url, {
      method: next.form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form && { body: new URLSearchParams(next.form) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      if (value) jar.set(name!, value)
      else jar.delete(name!)
    }
    const page = await answer.text()
    const location = answer.headers.get('location')
    if (location) {
      const led = new URL(location, next.url)
      if (led.origin !== origin) return Object.fromEntries(led.searchParams)
      next = { url: led.href, form: undefined }
      continue
    }
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!action || !prompt) throw new Error(`Lost at ${next.url}: ${answer.status} ${page.slice(0, 500)}`)
    if (prompt === 'consent' && !consents) next = { url: `${next.url}/abort`, form: undefined }
    else next = { url: new URL(action, next.url).href, form: { prompt, login, password: 'secret' } }
  }
  throw new Error('The vendor leads on and on')
}
