import { expect, test } from 'vitest'
import { Problem } from '../api.ts'
import { failureOf, isFinal, UnreadableFile } from './failure.ts'
import { StoreRefusal } from './put.ts'
import { isTrouble, type Upload } from './upload.ts'

const upload = { replaces: null } as Upload

test('the three storage failures are told apart', () => {
  expect(failureOf(new StoreRefusal(403, false), upload)).toEqual({ code: 'storage-refused' })
  expect(failureOf(new StoreRefusal(0, false), upload)).toEqual({ code: 'storage-unreachable' })
  const params = { settings: 'STORAGE_BUCKET_NAME, STORAGE_ACCOUNT_ID' }
  expect(failureOf(new Problem({ code: 'storage-not-configured', status: 503, params }), upload)).toEqual({
    code: 'storage-not-configured',
    values: { settings: 'STORAGE_BUCKET_NAME, STORAGE_ACCOUNT_ID' },
  })
})

test('what concerns the store stops the queue, what concerns one file does not', () => {
  expect(isTrouble(failureOf(new StoreRefusal(403, false), upload))).toBe(true)
  expect(isTrouble(failureOf(new StoreRefusal(500, true), upload))).toBe(false)
})

test('a verdict on the bytes is final, a passing trouble is not', () => {
  expect(isFinal(failureOf(new Problem({ code: 'unreadable-media', status: 422 }), upload))).toBe(true)
  expect(isFinal(failureOf(new UnreadableFile(), upload))).toBe(true)
  expect(isFinal(failureOf(new Problem({ code: 'upload-expired', status: 410 }), upload))).toBe(false)
})

test('a missing folder and a missing asset are not the same', () => {
  const missing = new Problem({ code: 'not-found', status: 404 })
  expect(failureOf(missing, upload).code).toBe('folder-gone')
  expect(failureOf(missing, { ...upload, replaces: 'asset_1' }).code).toBe('asset-gone')
})
