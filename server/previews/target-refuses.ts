import { Problem } from '../problems.ts'

export const targetRefuses = (reasons: string[]) => new Problem('target-refuses', reasons.join(' '))
