import { namesOfTypes } from '../../contract/media-types.ts'

/** The types that are taken, to be put into sentences. */
export const typesIn = (locale: string) => ({
  images: namesOfTypes('image').join(', '),
  videos: namesOfTypes('video').join(', '),
  and: new Intl.ListFormat(locale, { type: 'conjunction' }).format(namesOfTypes()),
  or: new Intl.ListFormat(locale, { type: 'disjunction' }).format(namesOfTypes()),
})
