import type { CDPSession, Page } from '../test/web/browser.ts'

/** What something costs whoever looks at the page: waiting, CPU of its main thread, bytes of answers, and their number. */
export interface Cost {
  milliseconds: number
  cpu: number
  bytes: number
  answers: number
}

type Meter = (work: () => Promise<unknown>) => Promise<Cost>

/** Measures what is done on this page. CPU is counted by the thread's own clock, so that a busy machine does not change it. */
export async function meterOf(page: Page): Promise<Meter> {
  const cdp = await page.context().newCDPSession(page)
  const isAnswer = new Set<string>()
  const travelled = { bytes: 0, answers: 0 }
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType === 'application/json') isAnswer.add(requestId)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!isAnswer.delete(requestId)) return
    travelled.bytes += encodedDataLength
    travelled.answers++
  })
  await cdp.send('Network.enable')
  const cpu = await cpuOf(page)
  return async (work) => {
    const before = { ...travelled, cpu: await cpu() }
    const began = performance.now()
    await work()
    return {
      milliseconds: performance.now() - began,
      cpu: (await cpu()) - before.cpu,
      bytes: travelled.bytes - before.bytes,
      answers: travelled.answers - before.answers,
    }
  }
}

/** Starts counting; asked again, it tells how many milliseconds of CPU the main thread has used since. */
export async function cpuOf(page: Page): Promise<() => Promise<number>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const before = await taskSeconds(cdp)
  return async () => ((await taskSeconds(cdp)) - before) * 1000
}

async function taskSeconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value
}

/** What the page holds once all that nobody holds any more is gone. */
export async function heldBy(page: Page): Promise<{ heap: number; nodes: number }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('HeapProfiler.enable')
  for (let turn = 0; turn < 3; turn++) await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const { nodes } = await cdp.send('Memory.getDOMCounters')
  await cdp.detach()
  return { heap: usedSize, nodes }
}
