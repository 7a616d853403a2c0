/** Rules of a form's fields that a refusal can name; any other is shown as a general problem. */
export const fieldRules = [
  'required',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'format',
  'folderName',
  'plain',
  'loginAgain',
  'other',
] as const
export type FieldRule = (typeof fieldRules)[number]
