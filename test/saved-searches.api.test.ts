import { expect, test } from 'vitest'
import { mostSavedSearches, type SavedSearch } from '../contract/saved-searches.ts'
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
