import { expect } from 'vitest'

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Family {
  name: string
  type: string
  help: string
  samples: Sample[]
}

/**
 * Prometheus' text format, version 0.0.4, taken at its word: each family with its help and type before its samples,
 * all in one place, no sample twice, histograms that add up.
 */
export function readExposition(text: string): Map<string, Family> {
  expect(text.endsWith('\n'), 'the last line is ended').toBe(true)
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let family: Family | undefined
  let help: { name: string; text: string } | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line)
    if (line.startsWith('#')) expect(comment, line).not.toBeNull()
    if (comment?.[1] === 'HELP') help = { name: comment[2]!, text: comment[3]! }
    else if (comment) {
      const name = comment[2]!
      expect(help?.name, `${name} has its help before its type`).toBe(name)
      expect(families.has(name), `${name} is in one place`).toBe(false)
      expect(['counter', 'gauge', 'histogram', 'summary']).toContain(comment[3])
      family = { name, type: comment[3]!, help: help!.text, samples: [] }
      families.set(name, family)
    } else {
      const sample = readSample(line)
      const own =
        family?.type === 'histogram'
          ? /_(bucket|sum|count)$/
          : family?.type === 'summary'
            ? /_(sum|count)$/
            : /$^/
      expect(sample.name.replace(own, ''), `${line} stands under its family`).toBe(family?.name)
      const identity = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`
      expect(seen.has(identity), `${identity} is told once`).toBe(false)
      seen.add(identity)
      family!.samples.push(sample)
    }
  }
  for (const each of families.values()) {
    if (each.type === 'counter')
      for (const { value } of each.samples) expect(value, each.name).toBeGreaterThanOrEqual(0)
    if (each.type === 'histogram') addsUp(each)
  }
  return families
}

// Values are what Go's ParseFloat takes, which does not mind how NaN is written.
function readSample(line: string): Sample {
  const parts =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([Nn]a[Nn]|[+-]Inf|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)$/.exec(line)
  expect(parts, line).not.toBeNull()
  const [, name, inside = '', value] = parts!
  const labels: Record<string, string> = {}
  let rest = inside
  while (rest) {
    const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/.exec(rest)
    expect(label, line).not.toBeNull()
    expect(labels, line).not.toHaveProperty(label![1]!)
    labels[label![1]!] = label![2]!
    rest = rest.slice(label![0].length)
  }
  return { name: name!, labels, value: Number(value!.replace('Inf', 'Infinity')) }
}

function addsUp({ name, samples }: Family): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const [labels, its] of series) {
    const buckets = its.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le } }) => Number(le!.replace('Inf', 'Infinity')))
    expect(bounds, `${name} ${labels}`).toEqual(bounds.toSorted((a, b) => a - b))
    expect(bounds.at(-1), `${name} ${labels}`).toBe(Number.POSITIVE_INFINITY)
    const counts = buckets.map(({ value }) => value)
    expect(counts, `${name} ${labels}`).toEqual(counts.toSorted((a, b) => a - b))
    const one = (end: string) => its.filter((sample) => sample.name === `${name}_${end}`)
    expect([one('count').length, one('sum').length], `${name} ${labels}`).toEqual([1, 1])
    expect(one('count')[0]!.value, `${name} ${labels}`).toBe(counts.at(-1))
  }
}
