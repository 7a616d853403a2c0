const longest = 500

/** Programs on a device that are opened by a scheme of their own. RFC 8252 wants such a one to hold a dot; these came without. */
const appSchemes = ['cursor', 'vscode', 'vscode-insiders', 'windsurf']

const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?=[:/?]|$)/
const loopbackPort = new RegExp(`(${loopback.source}):[0-9]{1,5}(?=[/?]|$)`)

/** Whether a person may be sent back there: to a site over https, to this very device, or to a program on it. */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > longest || /[\s#\\]/.test(uri) || !URL.canParse(uri)) return false
  const { protocol, username, password } = new URL(uri)
  if (username || password) return false
  const scheme = protocol.slice(0, -1)
  return scheme === 'https' || isOnThisDevice(uri)
}

/** Any program there can take what is sent to it. */
export const isOnThisDevice = (uri: string): boolean => {
  const scheme = new URL(uri).protocol.slice(0, -1)
  return loopback.test(uri) || scheme.includes('.') || appSchemes.includes(scheme)
}

/** Letter for letter; but a program on the device may listen on whichever port is free (RFC 8252, 7.3). */
export const isAmong = (uris: readonly string[], given: string): boolean =>
  isRedirectUri(given) &&
  uris.some((uri) => uri === given || (loopback.test(uri) && withoutPort(uri) === withoutPort(given)))

const withoutPort = (uri: string) => uri.replace(loopbackPort, '$1')

/** Who is sent the answer: a site, or a program by its scheme. What follows that is the program's own business, whatever it looks like. */
export const hostOf = (uri: string): string => {
  const { host, protocol } = new URL(uri)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}
