import { expect, test, vi } from 'vitest'
import { startStopwatch } from './stopwatch.ts'

test('what was held or lost does not count', () => {
  vi.useFakeTimers()
  try {
    let lost = 1000
    const ended = vi.fn()
    const clock = startStopwatch(100, ended, () => lost)
    vi.advanceTimersByTime(40)
    clock.hold()
    vi.advanceTimersByTime(500)
    clock.goOn()
    vi.advanceTimersByTime(59 + 250)
    lost += 30
    vi.advanceTimersByTime(30)
    expect(ended).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(ended).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})
