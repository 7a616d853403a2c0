import { setTimeout as pause } from 'node:timers/promises'
import type { Tab } from './engine.ts'

export type Page = ReturnType<typeof pageIn>

type Text = string | number | boolean | null | undefined

const patience = 30_000

/** What a person does in a tab and sees there, whichever engine draws it. */
export function pageIn(tab: Tab) {
  /** A function goes there as its text: it knows what it is given and nothing else. */
  async function evaluate<Given extends Text[], Found>(
    work: (...given: Given) => Found,
    ...given: Given
  ): Promise<Awaited<Found>> {
    const body = `return Promise.resolve((${work})(...JSON.parse(arguments[0]))).then((found) => JSON.stringify(found ?? null))`
    return JSON.parse((await tab.run(body, JSON.stringify(given)))!)
  }

  async function until<Found>(what: string, look: () => Promise<Found>): Promise<NonNullable<Found>> {
    let trouble: unknown
    for (const end = Date.now() + patience; Date.now() < end; await pause(100)) {
      const found = await look().catch((error: unknown) => {
        trouble = error // a page that is just being left answers nobody
      })
      if (found) return found
    }
    throw new Error(`Waited in vain for ${what}`, { cause: trouble })
  }

  const find = (css: string, name = '') => evaluate(middlesOf, css, name, false)

  /** Where it comes to rest. */
  async function standsAt(css: string, name = '') {
    const look = () => until(`${css} ${name}`, async () => (await evaluate(middlesOf, css, name, true))[0])
    for (let before = await look(); ; ) {
      await pause(60)
      const now = await look()
      if (now.x === before.x && now.y === before.y) return now
      before = now
    }
  }

  const keys = (actions: { type: 'keyDown' | 'keyUp'; value: string }[]) =>
    tab.perform([{ type: 'key', id: 'keys', actions }])

  return {
    goTo: tab.goTo,
    async back() {
      await evaluate(() => void setTimeout(() => history.back()))
      await pause(500) // what a page is asked while it is left, WebKit never answers
    },
    complaints: tab.complaints,
    evaluate,
    /** How many are seen; the name is a part of the label or else of the text. */
    count: async (css: string, name?: string) => (await find(css, name)).length,
    async sees(css: string, name?: string) {
      await until(`${css} ${name ?? ''}`, async () => (await find(css, name)).length > 0)
    },
    async misses(css: string, name?: string) {
      await until(`no ${css} ${name ?? ''}`, async () => (await find(css, name)).length === 0)
    },
    async click(css: string, name?: string) {
      const { x, y } = await standsAt(css, name)
      await tab.perform([
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x, y, duration: 0 },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ])
    },
    /** One key after the other, by its name or with others held: `Control+a`. */
    async press(...each: string[]) {
      for (const one of each) {
        const held = one.split('+').map((key) => codes[key] ?? key)
        await keys([
          ...held.map((value) => ({ type: 'keyDown' as const, value })),
          ...held.toReversed().map((value) => ({ type: 'keyUp' as const, value })),
        ])
      }
    },
    /** As fast as people do. */
    async type(text: string) {
      for (const value of text) {
        await keys([
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ])
        await pause(50)
      }
    },
  }
}

/** Runs in the page. */
function middlesOf(css: string, name: string, isWanted: boolean) {
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ??
    (element as HTMLInputElement).labels?.[0]?.textContent ??
    element.textContent
  const found = [...document.querySelectorAll(css)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => nameOf(element).includes(name))
  if (isWanted) found[0]?.scrollIntoView({ block: 'nearest' })
  return found.map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) }
  })
}

/** Keys without a letter, as WebDriver counts them. */
const codes: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Control: '\uE009',
  Escape: '\uE00C',
  Space: ' ',
  ArrowRight: '\uE014',
  F2: '\uE032',
}
