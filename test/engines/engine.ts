/** A browser that people have and Chromium is not, as the tests of both drive it. */
export interface Engine {
  name: string
  /** What it would take to drive it here; nothing where it can be. */
  missing(): string | undefined
  open(): Promise<Browser>
  /** Whether a part of a day that was typed is left for the next by itself. */
  goesOnToTheNextPart: boolean
}

export interface Browser {
  /** A window that knows nothing of what others were shown. */
  newTab(): Promise<Tab>
  close(): Promise<void>
}

/** The least that is needed of a driver; `page.ts` makes the rest of it. */
export interface Tab {
  goTo(url: string): Promise<void>
  /** Runs the body of a function in the page; text goes in, and text comes back. */
  run(body: string, given: string): Promise<string | null>
  /** Keys and mouse, as both protocols write them. */
  perform(input: Input[]): Promise<unknown>
  /** The errors in its console, breaches of its policy (CSP) with them. */
  complaints(): Promise<string[]>
  close(): Promise<unknown>
}

export type Input =
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] }
  | { type: 'pointer'; id: string; actions: PointerAction[] }

type PointerAction =
  | { type: 'pointerMove'; x: number; y: number; duration: number }
  | { type: 'pointerDown' | 'pointerUp'; button: number }
