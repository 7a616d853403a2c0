import { Type } from 'typebox'
import { NewUploadSession, UploadSession } from '../../../contract/uploads.ts'
import { Strict } from '../../../contract/words.ts'
import { openSession } from '../../uploads/sessions.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const getUploadInstructions = tool({
  name: 'get_upload_instructions',
  title: 'Get upload instructions',
  description:
    'Opens an upload for a file that you have, and says how to send it. The bytes travel straight to the store, never through this conversation.',
  permission: 'assets:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: Strict({ clientId: ClientId, ...NewUploadSession.properties }),
  output: Type.Object({
    ...UploadSession.properties,
    steps: Type.Array(Type.String({ description: 'To be done in order, outside of this conversation.' })),
  }),
  async run(agent, { clientId, ...file }) {
    const library = await libraryFor(agent, clientId)
    const session = await openSession(library, file)
    const assets = `${agent.parts.config.publicUrl}/admin/clients/${library.clientId}/assets`
    return { answer: { ...session, steps: stepsOf(assets, session, file) } }
  },
})

function stepsOf(assets: string, session: UploadSession, file: NewUploadSession): string[] {
  const { uploadToken, uploadUrl, multipart } = session
  const authorised = `-H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json"`
  const parts = multipart ? Math.ceil(file.expectedSizeBytes / multipart.partSizeBytes) : 0
  const byParts = multipart && [
    `Ask for the addresses of the parts: curl ${authorised} -d '{"uploadToken":"${uploadToken}","partNumbers":[1]}' ${assets}/upload-session/parts (there are ${parts} of ${multipart.partSizeBytes} bytes, the last one shorter).`,
    'PUT each part to its uploadUrl, with no headers of your own. Parts may be sent at the same time and again.',
  ]
  const atOnce = [`PUT the file, with no headers of your own: curl -T <file> "${uploadUrl}"`]
  return [
    ...(byParts ?? atOnce),
    `Finalize, with any of title, altText, tags, allowedSurfaces, description, provenance, rightsExpireAt: curl ${authorised} -d '{"uploadToken":"${uploadToken}"}' ${assets}/upload-session/finalize. The answer holds the assetRef. On 409 file-not-uploaded the file has not arrived yet.`,
  ]
}
