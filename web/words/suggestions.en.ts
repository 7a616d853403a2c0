const en = {
  title: 'Suggested texts',
  hint: 'A model’s words. Nobody sees them anywhere else until you accept them.',
  fields: { title: 'Title', altText: 'Alt text', tags: 'Tags' },
  by: (model: string, day: string) => `${model}, ${day}`,
  ask: 'Suggest texts',
  notAsked: 'Asking for texts did not work.',
  askAgain: 'Suggest again',
  accepting: 'Writing what was suggested…',
  asking: 'The model is looking at it…',
  nothing: 'The model had nothing to add.',
  accept: 'Accept',
  acceptOf: (field: string) => `Accept ${field}`,
  edit: 'Edit',
  editOf: (field: string) => `Edit ${field}`,
  decline: 'Decline',
  declineOf: (field: string) => `Decline ${field}`,
  save: 'Accept this',
  cancel: 'Cancel',
  changedSince: (now: string) => `Somebody has written since: “${now}”. Accepting replaces it.`,
  changedAgain: 'Somebody has just written there. Look at it again.',
  decided: {
    accept: (field: string) => `${field} accepted`,
    decline: (field: string) => `${field} declined`,
  },
  suggested: 'Suggested',
  keys: 'Alt+Y accepts, Alt+N declines.',
  acceptAll: (count: number) => `Accept all shown (${count})`,
  acceptedMany: (count: number) => (count === 1 ? 'One text accepted.' : `${count} texts accepted.`),
  notAccepted: (count: number) =>
    count === 1 ? 'One could not be accepted.' : `${count} could not be accepted.`,
  askedAbout: (count: number) => (count === 1 ? 'One picture looked at.' : `${count} pictures looked at.`),
  decide: 'Decide on them in the details, or in the table of texts.',
  tooMany: (most: number) => `A model is asked about ${most.toLocaleString('en')} at most. Search for fewer.`,
  settings: {
    title: 'Use of AI',
    modes: {
      off: 'Never',
      'on-request': 'When somebody asks for it',
      'on-upload': 'When somebody asks, and about every new file',
    },
    modesOfWords: { off: 'Not allowed', 'on-request': 'Allowed' },
    leaves: (host: string) => `With your consent this leaves the house, and goes to ${host} alone:`,
    sent: {
      pictures: (model: string) =>
        `Pictures, for suggested texts (${model}): of each that is asked about, a preview of at most 1,024 pixels without metadata; of a film its poster. No original, no file name and no text goes along. What comes back is a suggestion, and is used nowhere until a person accepts it.`,
      words: (model: string) =>
        `Words, for search by meaning (${model}): titles, alt texts, tags and descriptions of all assets, text that was read in pictures, and what people search for.`,
    },
    kinds: { pictures: 'pictures', words: 'words' },
    notYet: (kinds: string) =>
      `When consent was given, nobody spoke of these: ${kinds}. They are not sent until you allow it.`,
    allowToo: 'Allow this, too',
    language: 'Language that people write in',
    today: (asked: number, limit: number | null) =>
      limit === null ? `Asked about ${asked} today.` : `Asked about ${asked} of ${limit} today.`,
    saved: 'Saved.',
  },
}
export default en
export type SuggestionWords = typeof en
