const browsers: [RegExp, string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]

/** What a person would call it. Browsers name one another, so the first that fits counts. */
export function browserIn(userAgent: string | null): { browser: string | undefined; system: string } {
  const first = (names: [RegExp, string][]) => names.find(([form]) => form.test(userAgent ?? ''))?.[1]
  return { browser: first(browsers), system: first(systems) ?? '?' }
}
