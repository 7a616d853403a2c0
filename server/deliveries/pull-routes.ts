import { Type } from 'typebox'
import { Strict } from '../../contract/words.ts'
import type { App } from '../http/app.ts'
import { callerAddress } from '../http/caller-address.ts'
import { fileRefusals, sendFile } from '../http/file-answers.ts'
import { countPull, pull } from './pull-grants.ts'

/** Where other systems fetch. The address alone authorises, so it is found in no index and no referrer. */
export async function pullRoutes(app: App) {
  app.get(
    '/pull/:token',
    {
      schema: {
        summary: 'Fetch the file of a pull grant',
        params: Strict({ token: Type.String({ maxLength: 5000 }) }),
        produces: ['image/*', 'video/mp4'],
      },
      config: {
        permission: 'public',
        refuses: [...fileRefusals, 'media-busy'],
      },
    },
    async (request, reply) => {
      const { grant, file } = await pull(app.parts, request.params.token)
      reply.headers({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
      const begins = !request.headers.range || /^bytes=0-/.test(request.headers.range)
      if (request.method === 'GET') await countPull(app.parts, grant, callerAddress(request), begins)
      return sendFile(request, reply, file)
    },
  )
}
