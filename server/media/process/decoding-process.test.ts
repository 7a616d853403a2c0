import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { endless } from '../fixtures/fixture.ts'
import { openMedia } from '../media.ts'

// A machine with so much to do that the decoder stands in line for nineteen twentieths of the time.
vi.mock('./waited.ts', () => ({ waitedMs: () => performance.now() * 0.475 }))

test('that a file takes too long is not the store’s fault, however long it takes here, nor the other way round', async () => {
  const media = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off', timeouts: { inspect: 150 } })
  await expect(media.inspect(endless(), 'video/mp4')).rejects.toMatchObject({
    code: 'unreadable-media',
    message: expect.stringContaining('too long'),
  })
  const away = { sizeBytes: 100_000, read: () => pause(60_000, new Uint8Array(), { ref: false }) }
  await expect(media.inspect(away, 'video/mp4')).rejects.toMatchObject({ code: 'storage-unavailable' })
  await media.close()
})
