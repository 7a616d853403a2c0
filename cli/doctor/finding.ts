/** Of one part: whether it is well, and if not, the line that mends it. */
export interface Finding {
  part: string
  ok: boolean
  says: string
}
