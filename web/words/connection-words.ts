import {
  type ConnectionKind,
  connectionFields,
  connectionKindNames,
  connectionKinds,
  type FieldName,
} from '../../contract/connection-kinds.ts'

interface FieldWords {
  label: string
  hint?: string
  bad?: string
  choices?: Record<string, string>
}

/** What each kind of connection and each of its fields says of itself. Not every field has a hint. */
export function connectionWords(language: 'en' | 'de') {
  const fields = Object.entries<Record<typeof language, FieldWords>>(connectionFields)
  const said = (part: 'label' | 'hint' | 'bad') =>
    Object.fromEntries(
      fields.flatMap(([name, words]) => (words[language][part] ? [[name, words[language][part]]] : [])),
    ) as Record<FieldName, string>
  const kinds = (part: 'name' | 'hint') =>
    Object.fromEntries(
      connectionKindNames.map((kind) => [kind, connectionKinds[kind].words[language][part]]),
    ) as Record<ConnectionKind, string>
  return {
    kinds: kinds('name'),
    kindHints: kinds('hint'),
    fields: said('label'),
    hints: said('hint'),
    bad: said('bad'),
    choices: Object.assign({}, ...fields.map(([, words]) => words[language].choices)) as Record<
      string,
      string
    >,
  }
}
