/** Rules of a form's fields that a refusal can name; any other is told without saying which. */
export const fieldRules = [
  'required',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'format',
  'folderName',
  'other',
] as const
export type FieldRule = (typeof fieldRules)[number]
