import { boxes } from '../pictures/boxes.ts'
import { type Source, windowed } from '../pictures/source.ts'

/** Whether an MP4 says where its pictures lie before they come, so that it plays while it loads. */
export async function indexIsFirst(source: Source): Promise<boolean> {
  for await (const { type } of boxes(windowed(source), 0, source.sizeBytes))
    if (type === 'moov' || type === 'mdat') return type === 'moov'
  return false
}
