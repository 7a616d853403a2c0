const longest = 86_400

/** How long an answer asks us to wait, in seconds, by RFC 9110: a number of them, or a date. A day at most. */
export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (httpDate(text) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(longest, Math.max(0, Math.ceil(seconds)))
}

/** What we wait for it: never sooner, and not the same for all who were asked at one moment. */
export const pauseAskedFor = (seconds: number) => seconds * (1 + Math.random() / 4)

/** Dates of a header begin with a day of the week; all else that `Date.parse` takes is none. */
const httpDate = (text: string) =>
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN
