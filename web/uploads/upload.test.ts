import { expect, test } from 'vitest'
import { newUpload } from './new-upload.ts'
import {
  after,
  can,
  isSameFile,
  type Move,
  type State,
  stillUnsaved,
  totalsOf,
  type Upload,
} from './upload.ts'

const upload = (given: Partial<Upload>): Upload =>
  newUpload({
    id: 'one',
    name: 'beach.jpg',
    sizeBytes: 100,
    lastModified: 1,
    file: null,
    mimeType: 'image/jpeg',
    folderId: null,
    path: [],
    replaces: null,
    state: 'queued',
    ...given,
  })

const journey = (from: State, moves: Move[]) =>
  moves.reduce<State | undefined>((state, move) => state && after(state, move), from)

test('a file goes from reading to done', () => {
  expect(journey('reading', ['ready', 'start', 'sent', 'made'])).toBe('done')
})

test('a pause is left by resuming', () => {
  expect(journey('sending', ['pause', 'resume', 'start'])).toBe('sending')
})

test('a failed finalization goes back to checking without sending again', () => {
  expect(journey('checking', ['failCheck', 'retry', 'check'])).toBe('checking')
})

test('a lost connection waits and goes on', () => {
  expect(journey('sending', ['lose', 'resume', 'start'])).toBe('sending')
  expect(journey('checking', ['lose', 'resume', 'check'])).toBe('checking')
})

test('what is being checked can be neither paused nor cancelled', () => {
  expect(can(upload({ state: 'checking' }), 'pause')).toBe(false)
  expect(can(upload({ state: 'checking' }), 'cancel')).toBe(false)
})

test('what was refused cannot be tried again', () => {
  expect(can(upload({ state: 'refused' }), 'retry')).toBe(false)
  expect(can(upload({ state: 'refused' }), 'dismiss')).toBe(true)
})

test('every upload that is not being checked can leave the list', () => {
  const states: State[] = [
    'reading',
    'queued',
    'sending',
    'offline',
    'paused',
    'failed',
    'unfinalized',
    'left',
  ]
  for (const state of states) expect(after(state, 'cancel')).toBe('gone')
  for (const state of ['refused', 'done', 'undescribed'] as State[])
    expect(after(state, 'dismiss')).toBe('gone')
})

test('a file is the same by name, size and time', () => {
  const file = { name: 'a.mp4', sizeBytes: 5, lastModified: 7 }
  expect(isSameFile(file, { ...file })).toBe(true)
  expect(isSameFile(file, { ...file, lastModified: 8 })).toBe(false)
})

test('refused files count as problems but not towards the bytes', () => {
  const totals = totalsOf([
    upload({ state: 'done', isSent: true }),
    upload({ state: 'sending', sentBytes: 40 }),
    upload({ state: 'refused', sizeBytes: 1000 }),
  ])
  expect(totals).toEqual({
    count: 3,
    wanted: 2,
    done: 1,
    underWay: 1,
    attention: 1,
    sentBytes: 140,
    sizeBytes: 200,
  })
})

test('only what was written after saving began is still to be saved', () => {
  const saved = { title: 'Beach', tags: ['sea'] }
  expect(stillUnsaved(saved, saved)).toEqual({})
  expect(stillUnsaved({ ...saved, altText: 'Sand' }, saved)).toEqual({ altText: 'Sand' })
  expect(stillUnsaved({ ...saved, tags: ['sea', 'sand'] }, saved)).toEqual({ tags: ['sea', 'sand'] })
})
