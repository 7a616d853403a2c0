import { Type } from 'typebox'

/** Every refusal the API can answer: its stable code, its status and its title. */
export const problems = {
  'invalid-request': { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'Login needed' },
  'wrong-login': { status: 401, title: 'Wrong e-mail or password' },
  forbidden: { status: 403, title: 'Not allowed' },
  'cross-site': { status: 403, title: 'Request from another site' },
  'folder-protected': { status: 403, title: 'Protected folder' },
  'not-found': { status: 404, title: 'Not found' },
  'upload-not-found': { status: 404, title: 'Upload not found' },
  'request-timeout': { status: 408, title: 'The request did not come in time' },
  'file-not-uploaded': { status: 409, title: 'File not uploaded yet' },
  'finalize-in-progress': { status: 409, title: 'Finalization under way' },
  'upload-finalized': { status: 409, title: 'Upload already finalized' },
  'quota-exceeded': { status: 409, title: 'Quota exceeded' },
  'folder-name-taken': { status: 409, title: 'Folder name taken' },
  'folder-cycle': { status: 409, title: 'A folder cannot be moved into itself' },
  'too-many-folders': { status: 409, title: 'Too many folders' },
  'too-many-agents': { status: 409, title: 'Too many agents' },
  'folder-too-deep': { status: 409, title: 'Folders nested too deep' },
  'in-use': { status: 409, title: 'In use' },
  'email-taken': { status: 409, title: 'E-mail taken' },
  'delivery-state': { status: 409, title: 'The delivery is in another state' },
  'upload-expired': { status: 410, title: 'Upload expired' },
  'changed-meanwhile': { status: 412, title: 'Changed by somebody else' },
  'body-too-large': { status: 413, title: 'Request body too large' },
  'too-large': { status: 413, title: 'Too large' },
  'unsupported-content-type': { status: 415, title: 'Unsupported content type of the request' },
  'unsupported-type': { status: 415, title: 'Unsupported type' },
  'range-not-satisfiable': { status: 416, title: 'Range not satisfiable' },
  'unknown-expectation': { status: 417, title: 'Unknown expectation' },
  'type-mismatch': { status: 422, title: 'The bytes are of another type' },
  'size-mismatch': { status: 422, title: 'The size is not the one announced' },
  'checksum-mismatch': { status: 422, title: 'The checksum is not the one announced' },
  'unreadable-media': { status: 422, title: 'The file cannot be read' },
  'too-many-pixels': { status: 422, title: 'Too many pixels' },
  'no-pictures': { status: 422, title: 'A video without pictures' },
  'encrypted-media': { status: 422, title: 'The video is encrypted' },
  'refs-not-allowed': { status: 422, title: 'Some assets may not be used here' },
  'target-refuses': { status: 422, title: 'The target does not take this file' },
  'cannot-remove': { status: 422, title: 'The target takes nothing back' },
  'idempotency-key-reused': { status: 422, title: 'Idempotency key used for another request' },
  'weak-password': { status: 422, title: 'Password too weak' },
  'too-many-attempts': { status: 429, title: 'Too many attempts' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Request headers too large' },
  'internal-error': { status: 500, title: 'Something went wrong' },
  'target-failed': { status: 502, title: 'The target does not answer as it should' },
  'object-missing': { status: 502, title: 'Stored file missing' },
  'secret-key-changed': { status: 503, title: 'Sealed with another secret key' },
  'storage-not-configured': { status: 503, title: 'Storage not configured' },
  'storage-unavailable': { status: 503, title: 'Storage unavailable' },
  'database-unavailable': { status: 503, title: 'Database unavailable' },
  'media-busy': { status: 503, title: 'Busy making previews' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

export const ProblemBody = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What the caller can do, in one sentence.' }),
    code: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          message: Type.String(),
          rule: Type.Optional(Type.String({ description: 'The rule of the schema that was broken.' })),
          limit: Type.Optional(Type.Number({ description: 'What that rule allows.' })),
        }),
      ),
    ),
    params: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'What a sentence of your own about the code may mention: names, sizes, limits.',
        },
      ),
    ),
  },
  { additionalProperties: true },
)
