import { expect } from 'vitest'
import { type ProblemCode, problems } from '../contract/problems.ts'

/** An answer that refuses with this code and says so as the contract has it. */
export const refusal = (code: ProblemCode, more: object = {}) =>
  expect.objectContaining({ status: problems[code].status, body: problem(code, more) })

export const problem = (code: ProblemCode, more: object = {}) =>
  expect.objectContaining({
    type: `/docs/problems#${code}`,
    title: problems[code].title,
    status: problems[code].status,
    detail: expect.stringMatching(/\.$/),
    code,
    ...more,
  })
