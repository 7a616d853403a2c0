// Brings a picture to the first connected system of a client that takes it, whatever that is.
//
//   LIBRARY_URL=https://assets.example.com LIBRARY_KEY=cal_… node deliver-a-picture.js harbour.jpg
//   LIBRARY_URL=https://assets.example.com LIBRARY_KEY=cal_… node deliver-a-picture.js "harbour at dawn" "Early at the harbour"
//
// The second argument is what a post says: without it nothing is published, and only files are delivered.
// A file is uploaded first; one that broke off goes on where it was when you run it again. Anything else is searched for.
import { existsSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { assetLibrary, clientsOf, isProblem, resumeOf } from 'asset-library-agent'

const { LIBRARY_URL = 'http://localhost:3000', LIBRARY_KEY, LIBRARY_CLIENT } = process.env
const [fileOrWords, text] = process.argv.slice(2)
if (!LIBRARY_KEY || !fileOrWords) {
  console.error('LIBRARY_KEY=cal_… node deliver-a-picture.js <file, or words to look for> [what a post says]')
  process.exit(2)
}
const access = { baseUrl: LIBRARY_URL, apiKey: LIBRARY_KEY }
const clientId = LIBRARY_CLIENT ?? (await clientsOf(access))[0].clientId
const library = assetLibrary({ ...access, clientId })

const connections = (await library.connections()).filter(
  ({ status, postText }) => status !== 'error' && (text || !postText),
)
const assetRefs = existsSync(fileOrWords) ? [await upload(fileOrWords)] : await find(fileOrWords)
for (const connection of connections) {
  const pinnedRef = await firstThatFits(connection, assetRefs)
  if (!pinnedRef) continue
  await deliver(connection, pinnedRef)
  process.exit(0)
}
console.error(
  connections.length > 0 ? 'None of it fits.' : 'No system to deliver to: connect one, or say what to post.',
)
process.exit(1)

/** Keeps beside the file what another run needs to take the upload up. */
async function upload(path) {
  const note = `${path}.upload.json`
  const send = async (resume) =>
    library.upload(await openAsBlob(path), {
      originalFilename: basename(path),
      provenance: 'camera',
      resume,
      onOpened: (opened) => writeFileSync(note, JSON.stringify(opened), { mode: 0o600 }),
      onProgress: (sent, total) => console.log(`${Math.round((100 * sent) / total)} % sent`),
    })
  const noted = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : undefined
  try {
    const asset = await send(noted).catch((error) => {
      if (noted && isProblem(error, 'upload-expired', 'upload-not-found')) return send()
      throw error
    })
    rmSync(note)
    console.log(`It is ${asset.assetRef}.`)
    return asset.assetRef
  } catch (error) {
    if (resumeOf(error)) console.error('The upload broke off: run it again, and it goes on where it was.')
    else rmSync(note, { force: true })
    throw error
  }
}

async function find(words) {
  const { assets } = await library.listAssets({ q: words, everywhere: true, limit: 20 })
  return assets.map(({ assetRef }) => assetRef)
}

/** The first asset that may go to this system; says of the others why not. */
async function firstThatFits({ name, surfaces, target }, assetRefs) {
  if (assetRefs.length === 0) return undefined
  const purpose = { surface: surfaces[0], ...(target && { target }) }
  for (const result of await library.resolve(assetRefs, purpose)) {
    if (result.ok) return result.pinnedRef
    console.log(`${result.assetRef} not to ${name}: ${result.detail} ${result.fix}`)
  }
}

/** Asked for twice, it is brought once. Where each delivery is a post, it says the text. */
async function deliver({ connectionId, name, surfaces, postText }, assetRef) {
  const order = { assetRef, connectionId, surface: surfaces[0], ...(postText && { text }) }
  const { deliveryId } = await library.deliver(order)
  const { status, remoteUrl, lastError } = await library.untilDelivered(deliveryId)
  console.log(`${assetRef} to ${name}: ${status} ${remoteUrl ?? lastError ?? ''}`)
}
