import { afterEach, expect } from 'vitest'
import { brokenPromises } from '../promised-answers.ts'

afterEach(() => expect(brokenPromises(), 'answers that /openapi.json does not promise').toEqual([]))
