import { expect, test } from 'vitest'
import { mostSavedSearches, type SavedSearch } from '../contract/saved-searches.ts'
import { newId } from '../server/ids.ts'
import { makeLibrary, system } from '../server/library.ts'
import { savedSearchesSection } from '../server/saved-searches/portable.ts'
import type { MovedIds } from '../server/section.ts'
import type { Person } from './person.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const at = ({ door }: Person) => door.assets.replace(/assets$/, 'saved-searches')
const saves = (person: Person, body: object) => person.post(at(person), body)
const seenBy = async (person: Person): Promise<SavedSearch[]> =>
  (await person.get(at(person))).body.savedSearches
const namesSeenBy = async (person: Person) => (await seenBy(person)).map(({ name }) => name)

test('a search is saved for oneself or for the client, listed by name, changed and deleted', async () => {
  const { operator, portal, viewer, agent } = await w.newClient()
  const search = { q: 'menu', tag: ['summer', 'menu'], orientation: 'portrait', everywhere: true }
  const { status, body: own } = await saves(operator, { name: ' Menus ', search })
  expect(status).toBe(201)
  expect(own).toMatchObject({ name: 'Menus', search, for: 'me', gone: ['tag'] })
  const { body: shared } = await saves(portal, {
    name: 'all films',
    search: { mimeType: 'video/*' },
    for: 'client',
  })
  expect((await saves(viewer, { name: 'Mine', search: {} })).status).toBe(201)
  expect((await saves(agent, { name: 'Of a robot', search: {} })).status).toBe(201)

  expect(await namesSeenBy(operator)).toEqual(['all films', 'Menus'])
  expect(await namesSeenBy(portal)).toEqual(['all films'])
  expect(await namesSeenBy(viewer)).toEqual(['all films', 'Mine'])
  expect(await namesSeenBy(agent)).toEqual(['all films', 'Of a robot'])

  // What all see is theirs to change who may change assets; what is somebody's own is nobody else's.
  expect(await saves(viewer, { name: 'For all', search: {}, for: 'client' })).toEqual(refusal('forbidden'))
  const films = `${at(viewer)}/${shared.savedSearchId}`
  expect(await viewer.patch(films, { name: 'Films' })).toEqual(refusal('forbidden'))
  expect(await viewer.delete(films)).toEqual(refusal('forbidden'))
  // Nor does one of the client's own people, or an agent, take from everybody what somebody else made.
  expect(await agent.delete(films)).toEqual(refusal('forbidden'))
  const { body: house } = await saves(operator, { name: 'Of the house', search: {}, for: 'client' })
  const ofHouse = `${at(portal)}/${house.savedSearchId}`
  expect(await portal.patch(ofHouse, { search: { q: 'nothing' } })).toEqual(refusal('forbidden'))
  expect(await portal.delete(ofHouse)).toEqual(refusal('forbidden'))
  const changeable = async (who: Person) =>
    (await seenBy(who)).filter(({ mayChange }) => mayChange).map(({ name }) => name)
  expect(await changeable(portal)).toEqual(['all films'])
  expect(await changeable(operator)).toEqual(['all films', 'Menus', 'Of the house'])
  expect(await changeable(viewer)).toEqual(['Mine'])
  expect((await portal.patch(`${at(portal)}/${shared.savedSearchId}`, { name: 'all films' })).status).toBe(
    200,
  )
  expect((await operator.delete(`${at(operator)}/${house.savedSearchId}`)).status).toBe(200)
  for (const other of [portal, viewer, agent]) {
    expect(await other.patch(`${at(other)}/${own.savedSearchId}`, { name: 'x' })).toEqual(
      refusal('not-found'),
    )
    expect(await other.delete(`${at(other)}/${own.savedSearchId}`)).toEqual(refusal('not-found'))
  }

  const { body: changed } = await operator.patch(`${at(operator)}/${own.savedSearchId}`, {
    for: 'client',
    search: { q: 'x' },
  })
  expect(changed).toMatchObject({ name: 'Menus', search: { q: 'x' }, for: 'client', gone: [] })
  expect(await namesSeenBy(portal)).toEqual(['all films', 'Menus'])
  expect((await operator.delete(films)).status).toBe(200)
  expect(await namesSeenBy(viewer)).toEqual(['Menus', 'Mine'])
})

test('of many at once that are to have one name one has it', async () => {
  const { operator } = await w.newClient()
  const ids = await Promise.all(
    ['One', 'Two', 'Three'].map(
      async (name) => (await saves(operator, { name, search: {} })).body.savedSearchId,
    ),
  )
  const answers = await Promise.all([
    ...Array.from({ length: 9 }, () => saves(operator, { name: 'Menus', search: {} })),
    ...ids.map((id) => operator.patch(`${at(operator)}/${id}`, { name: 'menus' })),
  ])
  expect(answers.filter(({ status }) => status < 300).length).toBe(1)
  expect(answers.filter(({ status }) => status === 409).length).toBe(11)
})

test('each owner has a name once: a second search of it is refused, and one of before or from elsewhere stays', async () => {
  const { operator, portal, viewer, clientId } = await w.newClient()
  const search = { q: 'menu' }
  const taken = refusal('search-name-taken')
  const { body: first } = await saves(operator, { name: 'Menus', search })
  const { body: other } = await saves(operator, { name: 'Plates', search })
  expect(await saves(operator, { name: ' menus ', search: {} })).toEqual(taken)
  expect((await saves(operator, { name: 'MENUS', search: {} })).body.params).toEqual({ name: 'MENUS' })
  // Somebody else's is another, and so is the client's.
  expect((await saves(viewer, { name: 'Menus', search })).status).toBe(201)
  expect((await saves(portal, { name: 'Menus', search, for: 'client' })).status).toBe(201)
  expect(await saves(operator, { name: 'Menus', search, for: 'client' })).toEqual(taken)

  const changes = (id: string, change: object) => operator.patch(`${at(operator)}/${id}`, change)
  expect(await changes(other.savedSearchId, { name: 'menus' })).toEqual(taken)
  expect(await changes(first.savedSearchId, { for: 'client' })).toEqual(taken)
  expect((await changes(first.savedSearchId, { name: 'MENUS', search: {} })).status).toBe(200)
  expect((await changes(first.savedSearchId, { name: 'Cards', for: 'client' })).status).toBe(200)
  expect(await namesSeenBy(operator)).toEqual(['Cards', 'Menus', 'Plates'])

  // What has the same name already is changed as before.
  const again = { user_id: operator.id, key_id: null, search: '{}', created_by: operator.id }
  await w.parts.db
    .insertInto('saved_searches')
    .values([{ client_id: clientId, id: newId('search'), name: 'Plates', ...again }])
    .execute()
  expect((await changes(other.savedSearchId, { search: { q: 'plate' } })).status).toBe(200)
  expect((await changes(other.savedSearchId, { name: 'Plates', for: 'me' })).status).toBe(200)
})

test('a saved search says what it names and is gone, and comes back with it', async () => {
  const { operator, portal } = await w.newClient()
  const { folderId } = await operator.makesFolder('Summer')
  const { assetId } = await portal.uploads(undefined, { words: { tags: ['Café'] } })
  const search = { folderId, below: true, tag: 'café', uploader: portal.id }
  await saves(operator, { name: 'Summer', search })
  expect((await seenBy(operator))[0]!.gone).toEqual([])
  await operator.deletesFolder(folderId)
  await operator.trashes(assetId)
  expect((await seenBy(operator))[0]).toMatchObject({ search, gone: ['folder', 'tag', 'uploader'] })
  await operator.restores(assetId)
  expect((await seenBy(operator))[0]!.gone).toEqual(['folder'])
})

test('a search of another client is not there, and nonsense is refused', async () => {
  const [{ operator }, other] = [await w.newClient(), await w.newClient()]
  const { body } = await saves(operator, { name: 'Mine', search: {}, for: 'client' })
  const path = `${at(other.operator)}/${body.savedSearchId}`
  expect(await other.operator.patch(path, { name: 'x' })).toEqual(refusal('not-found'))
  expect(await other.operator.delete(path)).toEqual(refusal('not-found'))
  for (const bad of [
    { name: '', search: {} },
    { name: 'a\nb', search: {} },
    { name: 'x' },
    { name: 'x', search: { cursor: 'x' } },
    { name: 'x', search: { orientation: 'round' } },
    { name: 'x', search: {}, for: 'all' },
  ])
    expect(await saves(operator, bad)).toEqual(refusal('invalid-request'))
  expect(await operator.patch(`${at(operator)}/${body.savedSearchId}`, {})).toEqual(
    refusal('invalid-request'),
  )
})

test('there are so many and no more, for each person and for the client', async () => {
  const { operator, viewer, clientId } = await w.newClient()
  await w.parts.db
    .insertInto('saved_searches')
    .values(
      Array.from({ length: mostSavedSearches }, (_, n) => ({
        client_id: clientId,
        id: `search_${n}`,
        user_id: operator.id,
        key_id: null,
        name: `${n}`,
        search: '{}',
        created_by: operator.id,
      })),
    )
    .execute()
  expect(await saves(operator, { name: 'One more', search: {} })).toEqual(refusal('too-many-searches'))
  expect((await saves(operator, { name: 'For all', search: {}, for: 'client' })).status).toBe(201)
  expect((await saves(viewer, { name: 'Mine', search: {} })).status).toBe(201)
})

test('saved searches move with a library: under new names, once, and what is somebody’s only to their account', async () => {
  const [from, to] = [await w.newClient(), await w.newClient()]
  const { folderId } = await from.operator.makesFolder('Summer')
  await saves(from.operator, { name: 'For all', search: { folderId, below: true }, for: 'client' })
  await saves(from.operator, { name: 'Mine', search: { q: 'menu' } })
  await saves(from.agent, { name: 'Of a robot', search: {} })
  const library = (clientId: string) => makeLibrary(w.parts, clientId, system)
  const lines = await savedSearchesSection.write(library(from.clientId))
  const moved = new Map([[folderId, newId('folder')]])
  const ids: MovedIds = {
    async settle(kind, some) {
      for (const id of some) moved.set(id, moved.get(id) ?? newId(kind))
    },
    call: (id, here) => void moved.set(id, here),
    came: (id) => moved.has(id),
    of: (id) => moved.get(id) ?? id,
    refOf: (ref) => ref,
  }
  const takesIn = (some: unknown[]) => savedSearchesSection.read(library(to.clientId), some as never, ids)
  // Names that are there already are no reason to leave something out.
  await saves(to.operator, { name: 'For all', search: {}, for: 'client' })
  expect(await takesIn(lines)).toEqual({ made: 2, there: 0, refused: [] })
  expect(await takesIn(lines)).toEqual({ made: 0, there: 2, refused: [] })
  expect(await namesSeenBy(to.operator)).toEqual(['For all', 'For all'])
  const came = (await seenBy(to.operator)).filter(({ gone }) => gone.length > 0)
  expect(came).toMatchObject([
    {
      name: 'For all',
      search: { folderId: moved.get(folderId), below: true },
      for: 'client',
      gone: ['folder'],
    },
  ])
  await w.admin.patch(`/admin/users/${from.operator.id}`, { clientIds: [from.clientId, to.clientId] })
  const there = { ...from.operator, door: to.operator.door } as Person
  expect(await namesSeenBy(there)).toEqual(['For all', 'For all', 'Mine'])
  const nobodys = (lines as { owner: object | null }[]).map((line) => ({
    ...line,
    owner: line.owner && { id: newId('user'), name: 'Nora', email: 'nora@example.org' },
  }))
  const { refused } = await takesIn(nobodys)
  expect(refused).toEqual([
    { file: '“Mine”', code: 'not-found', detail: expect.stringMatching(/^It is for Nora/) },
  ])
})
