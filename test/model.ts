import fc from 'fast-check'
import { expect } from 'vitest'
import { type Person, puts } from './person.ts'
import { pixel } from './pictures.ts'

// What a library is, told as simply as possible; random commands are done to it and to a real one over HTTP.

interface FolderIs {
  name: string
  parentId: string | null
  /** The folder that was deleted and took this one along, or this one itself. */
  trashedWith: string | null
}

interface AssetIs {
  title: string
  folderId: string | null
  surfaces: string[]
  trashed: 'no' | 'alone' | { with: string }
}

interface SessionIs {
  state: 'awaiting-upload' | 'uploaded' | 'finalized' | 'aborted'
  uploadToken: string
  uploadUrl: string
  folderId: string | null
  assetId: string | null
}

interface UseIs {
  status: string
  refs: string[]
}

export class Model {
  folders = new Map<string, FolderIs>()
  assets = new Map<string, AssetIs>()
  sessions = new Map<string, SessionIs>()
  uses = new Map<string, UseIs>()

  isLiveFolder = (id: string | null) => id === null || this.folders.get(id)?.trashedWith === null
  liveFolders = () => [...this.folders].filter(([, folder]) => folder.trashedWith === null)
  isTaken = (name: string, parentId: string | null, except?: string) =>
    this.liveFolders().some(
      ([id, folder]) =>
        id !== except && folder.parentId === parentId && folder.name.toLowerCase() === name.toLowerCase(),
    )
  /** The folder and all live ones below it. */
  below = (root: string): string[] => [
    root,
    ...this.liveFolders()
      .filter(([, folder]) => folder.parentId === root)
      .flatMap(([id]) => this.below(id)),
  ]
  isHeld = (assetId: string) =>
    [...this.uses.values()].some(
      ({ status, refs }) => ['scheduled', 'running'].includes(status) && refs.includes(assetId),
    )
  freeName = (name: string, parentId: string | null): string => {
    let free = name
    for (let count = 2; this.isTaken(free, parentId); count++) free = `${name} (${count})`
    return free
  }
}

type Real = Person
type Command = fc.AsyncCommand<Model, Real>

/** A command asks something of the library, holds the answer against what the model says, and does the same to it. */
function asking(
  name: string,
  words: unknown[],
  run: (model: Model, real: Real, told: string) => Promise<void>,
): Command {
  const told = `${name}(${words.map((word) => JSON.stringify(word)).join(', ')})`
  return { check: () => true, run: (model, real) => run(model, real, told), toString: () => told }
}

const makeFolder = (newName: string, whichParent: Pick) =>
  asking('makeFolder', [newName, whichParent], async (model, real, told) => {
    const parentId = pick(whichParent, model.folders)
    const answer = await real.post(`${real.door.assets}/folders`, { name: newName, parentId })
    const wanted = !model.isLiveFolder(parentId) ? 404 : model.isTaken(newName, parentId) ? 409 : 201
    expect(answer.status, told).toBe(wanted)
    if (wanted === 201)
      model.folders.set(answer.body.folderId, { name: newName, parentId, trashedWith: null })
  })

const changeFolder = (whichFolder: Pick, newName: string | undefined, whichParent: Pick | undefined) =>
  asking('changeFolder', [whichFolder, newName, whichParent], async (model, real, told) => {
    const folderId = pick(whichFolder, model.folders)
    if (folderId === null) return
    const it = model.folders.get(folderId)!
    const parentId = whichParent === undefined ? it.parentId : pick(whichParent, model.folders)
    const name = newName ?? it.name
    const answer = await real.changesFolder(folderId, {
      ...(newName !== undefined && { name }),
      ...(whichParent !== undefined && { parentId }),
    })
    const moves = parentId !== it.parentId
    const wanted =
      it.trashedWith !== null || (moves && !model.isLiveFolder(parentId))
        ? 404
        : (moves && model.below(folderId).includes(parentId!)) || model.isTaken(name, parentId, folderId)
          ? 409
          : 200
    expect(answer.status, told).toBe(wanted)
    if (wanted === 200) Object.assign(it, { name, parentId })
  })

const deleteFolder = (whichFolder: Pick, force: boolean) =>
  asking('deleteFolder', [whichFolder, force], async (model, real, told) => {
    const folderId = pick(whichFolder, model.folders)
    if (folderId === null) return
    const answer = await real.delete(`${real.door.assets}/folders`, { folderId, force })
    if (model.folders.get(folderId)!.trashedWith !== null) return expect(answer.status, told).toBe(404)
    const below = model.below(folderId)
    const taken = [...model.assets].filter(
      ([, asset]) => asset.trashed === 'no' && asset.folderId !== null && below.includes(asset.folderId),
    )
    if (!force && taken.some(([id]) => model.isHeld(id))) return expect(answer.status, told).toBe(409)
    expect(answer, told).toMatchObject({
      status: 200,
      body: { deleted: { folders: below.length, assets: taken.length } },
    })
    for (const id of below) model.folders.get(id)!.trashedWith = folderId
    for (const [, asset] of taken) asset.trashed = { with: folderId }
  })

const restoreFolder = (whichFolder: Pick) =>
  asking('restoreFolder', [whichFolder], async (model, real, told) => {
    const folderId = pick(whichFolder, model.folders)
    if (folderId === null) return
    const it = model.folders.get(folderId)!
    const answer = await real.post(`${real.door.assets}/folders/restore`, { folderId })
    if (it.trashedWith !== folderId) return expect(answer.status, told).toBe(404)
    expect(answer.status, told).toBe(200)
    it.parentId = model.isLiveFolder(it.parentId) ? it.parentId : null
    it.name = model.freeName(it.name, it.parentId)
    for (const folder of model.folders.values())
      if (folder.trashedWith === folderId) folder.trashedWith = null
    for (const asset of model.assets.values())
      if (typeof asset.trashed === 'object' && asset.trashed.with === folderId) asset.trashed = 'no'
  })

const openUpload = (whichFolder: Pick) =>
  asking('openUpload', [whichFolder], async (model, real, told) => {
    const folderId = pick(whichFolder, model.folders)
    const answer = await real.opensUpload(folderId === null ? {} : { folderId })
    expect(answer.status, told).toBe(model.isLiveFolder(folderId) ? 201 : 404)
    if (answer.status !== 201) return
    const { uploadSessionId, uploadToken, uploadUrl } = answer.body
    const session = { uploadToken, uploadUrl, folderId, assetId: null }
    model.sessions.set(uploadSessionId, { ...session, state: 'awaiting-upload' })
  })

const putBytes = (whichSession: Pick) =>
  asking('putBytes', [whichSession], async (model, _, told) => {
    const session = model.sessions.get(pick(whichSession, model.sessions) ?? '')
    if (!session || session.state === 'aborted' || session.state === 'finalized') return
    expect((await puts(session, pixel)).status, told).toBe(200)
    session.state = 'uploaded'
  })

const finalizeUpload = (whichSession: Pick, newTitle: string, surfaces: string[]) =>
  asking('finalizeUpload', [whichSession, newTitle, surfaces], async (model, real, told) => {
    const session = model.sessions.get(pick(whichSession, model.sessions) ?? '')
    if (!session) return
    const title = newTitle
    const answer = await real.finalizes(session.uploadToken, { title, allowedSurfaces: surfaces as [] })
    const wanted = {
      'awaiting-upload': 409,
      aborted: 410,
      finalized: 200,
      uploaded: model.isLiveFolder(session.folderId) ? 201 : 404,
    }[session.state]
    expect(answer.status, told).toBe(wanted)
    if (wanted === 200) expect(answer.body.assetId).toBe(session.assetId)
    if (wanted !== 201) return
    session.state = 'finalized'
    session.assetId = answer.body.assetId
    model.assets.set(answer.body.assetId, { title, folderId: session.folderId, surfaces, trashed: 'no' })
  })

const abortUpload = (whichSession: Pick) =>
  asking('abortUpload', [whichSession], async (model, real, told) => {
    const id = pick(whichSession, model.sessions)
    if (id === null) return
    const session = model.sessions.get(id)!
    const { status } = await real.delete(`${real.door.assets}/upload-session/${id}`)
    expect(status, told).toBe(session.state === 'finalized' ? 409 : 204)
    if (status === 204) session.state = 'aborted'
  })

const editAsset = (whichAsset: Pick, newTitle: string | undefined, whichFolder: Pick | undefined) =>
  asking('editAsset', [whichAsset, newTitle, whichFolder], async (model, real, told) => {
    const id = pick(whichAsset, model.assets)
    if (id === null || (newTitle === undefined && whichFolder === undefined)) return
    const asset = model.assets.get(id)!
    const folderId = whichFolder === undefined ? asset.folderId : pick(whichFolder, model.folders)
    const { status } = await real.edits(id, {
      ...(newTitle !== undefined && { title: newTitle }),
      ...(whichFolder !== undefined && { folderId }),
    })
    const found = asset.trashed === 'no' && (whichFolder === undefined || model.isLiveFolder(folderId))
    expect(status, told).toBe(found ? 200 : 404)
    if (found) Object.assign(asset, { title: newTitle ?? asset.title, folderId })
  })

const trashAsset = (whichAsset: Pick) =>
  asking('trashAsset', [whichAsset], async (model, real, told) => {
    const id = pick(whichAsset, model.assets)
    if (id === null) return
    const asset = model.assets.get(id)!
    const { status } = await real.trashes(id)
    expect(status, told).toBe(asset.trashed !== 'no' ? 404 : model.isHeld(id) ? 409 : 200)
    if (status === 200) asset.trashed = 'alone'
  })

const restoreAsset = (whichAsset: Pick) =>
  asking('restoreAsset', [whichAsset], async (model, real, told) => {
    const id = pick(whichAsset, model.assets)
    if (id === null) return
    const asset = model.assets.get(id)!
    expect((await real.restores(id)).status, told).toBe(200)
    if (asset.trashed === 'no') return
    asset.trashed = 'no'
    if (!model.isLiveFolder(asset.folderId)) asset.folderId = null
  })

const recordUse = (externalId: string, newStatus: string, whichAssets: Pick[]) =>
  asking('recordUse', [externalId, newStatus, whichAssets], async (model, real, told) => {
    const refs = whichAssets.map((one) => pick(one, model.assets)).filter((id) => id !== null)
    const path = `${real.door.assets.replace(/assets$/, 'uses')}/blog-post/${externalId}`
    const { status } = await real.put(path, { status: newStatus, assetRefs: refs })
    const before = model.uses.get(externalId)
    const ends = newStatus === 'done' || newStatus === 'cancelled'
    const refused = refs
      .filter((id) => !(ends && before?.refs.includes(id)))
      .map((id) => model.assets.get(id)!)
      .some(
        ({ trashed, surfaces }) => trashed !== 'no' || (surfaces.length > 0 && !surfaces.includes('website')),
      )
    expect(status, told).toBe(refused ? 422 : before ? 200 : 201)
    if (!refused) model.uses.set(externalId, { status: newStatus, refs })
  })

const lookAtAll = asking('lookAtAll', [], (model, real) => looksTheSame(model, real))

/** Everything that can be seen from outside is what the model says. */
async function looksTheSame(model: Model, real: Real): Promise<void> {
  const { body: tree } = await real.get(`${real.door.assets}/folders`)
  expect(
    tree.folders
      .map(({ folderId, name, parentId = null }: Record<string, string | null>) => [folderId, name, parentId])
      .sort(),
  ).toEqual(
    model
      .liveFolders()
      .map(([id, { name, parentId }]) => [id, name, parentId])
      .sort(),
  )
  const live = await real.lists({ limit: 200, everywhere: true })
  expect(shown(live.body.assets), 'the assets').toEqual(told(model, (asset) => asset.trashed === 'no'))
  // The trash shows what was thrown away, not what went with it.
  const { body: trash } = await real.lists({ limit: 200, trashed: true })
  expect(shown(trash.assets), 'the trash').toEqual(told(model, (asset) => asset.trashed === 'alone'))
  expect(trash.folders.map(({ folderId }: { folderId: string }) => folderId).sort()).toEqual(
    [...model.folders.keys()].filter((id) => model.folders.get(id)!.trashedWith === id).sort(),
  )
  const { body: uses } = await real.get(`${real.door.assets.replace(/assets$/, 'uses')}?limit=200`)
  expect(
    Object.fromEntries(
      uses.uses.map((use: { externalId: string; status: string; assetRefs: string[] }) => [
        use.externalId,
        { status: use.status, refs: use.assetRefs },
      ]),
    ),
  ).toEqual(Object.fromEntries(model.uses))
  for (const [id, { state, assetId }] of model.sessions)
    expect((await real.get(`${real.door.assets}/upload-session/${id}`)).body).toMatchObject({
      status: state,
      assetId,
    })
  const { body: limits } = await real.get(`${real.door.assets}/upload-limits`)
  const open = [...model.sessions.values()].filter(
    ({ state }) => state === 'awaiting-upload' || state === 'uploaded',
  )
  expect(limits.quota).toMatchObject({
    storedBytes: model.assets.size * pixel.length,
    reservedBytes: open.length * pixel.length,
  })
}

const shown = (assets: { assetId: string; title: string; folderId: string | null }[]) =>
  assets.map(({ assetId, title, folderId }) => [assetId, title, folderId]).sort()

const told = (model: Model, which: (asset: AssetIs) => boolean) =>
  [...model.assets]
    .filter(([, asset]) => which(asset))
    .map(([id, { title, folderId }]) => [id, title, folderId])
    .sort()

/** One of those there are, or none: the top level, where that is a place. */
type Pick = number | null
const pick = (which: Pick, there: Map<string, unknown>): string | null =>
  which === null || there.size === 0 ? null : [...there.keys()][which % there.size]!

const some = fc.nat({ max: 30 })
const place = fc.option(some, { freq: 3 })
const names = fc.constantFrom('Menus', 'menus', 'Summer', 'Ünder')
const titles = fc.constantFrom('Logo', 'Terrace', '🦩')
const surfaces = fc.constantFrom<string[]>([], ['website'], ['social'])
const statuses = fc.constantFrom('draft', 'scheduled', 'running', 'done', 'cancelled')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const commands = [
  fc.tuple(names, place).map((words) => makeFolder(...words)),
  fc.tuple(some, maybe(names), maybe(place)).map((words) => changeFolder(...words)),
  fc.tuple(some, fc.boolean()).map((words) => deleteFolder(...words)),
  some.map(restoreFolder),
  place.map(openUpload),
  some.map(putBytes),
  fc.tuple(some, titles, surfaces).map((words) => finalizeUpload(...words)),
  some.map(abortUpload),
  fc.tuple(some, maybe(titles), maybe(place)).map((words) => editAsset(...words)),
  some.map(trashAsset),
  some.map(restoreAsset),
  fc
    .tuple(fc.constantFrom('one', 'two'), statuses, fc.array(some, { maxLength: 3 }))
    .map((words) => recordUse(...words)),
  fc.constant(lookAtAll),
]

/** A library with something in it, so that few commands meet nothing. */
async function furnished(real: Real): Promise<Model> {
  const model = new Model()
  for (const command of [
    makeFolder('Menus', null),
    makeFolder('Summer', 0),
    openUpload(0),
    openUpload(1),
    openUpload(null),
    putBytes(0),
    putBytes(1),
    finalizeUpload(0, 'Logo', []),
    finalizeUpload(1, 'Terrace', ['website']),
  ])
    await command.run(model, real)
  return model
}

export interface Told {
  model: Model
  real: Person
}

/**
 * Tries this many random stories, each in a library of its own, which `told` takes for a closer look. A failure is
 * told as the shortest story, with its seed.
 */
export async function libraryIsItsModel(
  newLibrary: () => Promise<Person>,
  { runs, length = 40, told = [] }: { runs: number; length?: number; told?: Told[] },
): Promise<void> {
  const seed = Number(process.env.MODEL_SEED) || Date.now() % 2 ** 31
  let done = 0
  console.log(`Random stories from MODEL_SEED=${seed}`)
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: length, size: 'max' }), async (story) => {
      const real = await newLibrary()
      const model = await furnished(real)
      told.push({ model, real })
      await fc.asyncModelRun(() => ({ model, real }), story)
      await looksTheSame(model, real)
      done++
    }),
    { seed, numRuns: runs, verbose: 1 },
  )
  console.log(`${done} stories held`)
}
