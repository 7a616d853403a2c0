import { type Static, Type } from 'typebox'
import { Approval, ApprovalState, Asset, approvalStates, Speaker, VersionNumber } from './assets.ts'
import { Id, NextCursor, Nullable, Page, Strict, Timestamp, visible } from './words.ts'

const Note = Type.String({ maxLength: 2000 })

export const Seen = Type.Optional(
  Type.Enum(approvalStates, {
    description:
      'How the version stood for whoever decides. Where somebody has decided since, it is `changed-meanwhile`.',
  }),
)

export const decisions = ['approved', 'changes-requested', 'pending'] as const
export const Decision = Strict({
  version: VersionNumber,
  decision: Type.Enum(decisions, { description: '`pending` takes back what was decided, and asks again.' }),
  seen: Seen,
  note: Type.Optional(Note),
})
export type Decision = Static<typeof Decision>

export const Decided = Type.Object({ version: Type.Integer(), approval: Approval, asset: Asset })
export type Decided = Static<typeof Decided>

export const mostAsked = 500
export const Decisions = Strict({
  assets: Type.Array(Strict({ assetId: Id('asset'), version: VersionNumber, seen: Seen }), {
    minItems: 1,
    maxItems: mostAsked,
  }),
  decision: Type.Enum(decisions),
  note: Type.Optional(Note),
})
export type Decisions = Static<typeof Decisions>

export const DecisionResults = Type.Object({
  results: Type.Array(
    Type.Object({
      assetId: Type.String(),
      ok: Type.Boolean(),
      asset: Type.Optional(Asset),
      problem: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String() })),
    }),
  ),
})
export type DecisionResults = Static<typeof DecisionResults>

export const ReviewRequest = Strict({
  assetIds: Type.Array(Id('asset'), { minItems: 1, maxItems: mostAsked, uniqueItems: true }),
  note: Type.Optional(Note),
})
export type ReviewRequest = Static<typeof ReviewRequest>

export const ReviewAsked = Type.Object({
  assetIds: Type.Array(Id('asset'), {
    description:
      'Of which an answer was asked for now. What is approved or asked for already stays as it is.',
  }),
})
export type ReviewAsked = Static<typeof ReviewAsked>

export const ReviewQuery = Strict({
  mine: Type.Optional(
    Type.Boolean({
      description: 'What needs your answer: what others have asked for, and threads that mention you.',
    }),
  ),
  approval: Type.Optional(ApprovalState),
  ...Page,
})
export type ReviewQuery = Static<typeof ReviewQuery>

export const Review = Type.Object({
  asset: Asset,
  approval: Approval,
  openThreads: Type.Integer({ description: 'Threads that nobody has resolved.' }),
  mentioned: Type.Boolean({ description: 'A thread mentions you, and you have not answered.' }),
})
export type Review = Static<typeof Review>

export const mostReviewsCounted = 500
export const ReviewPage = Type.Object({
  reviews: Type.Array(Review),
  total: Type.Integer({
    description: `How many there are on all pages; ${mostReviewsCounted} where there are at least as many.`,
  }),
  nextCursor: NextCursor,
})
export type ReviewPage = Static<typeof ReviewPage>

const Coordinate = Type.Number({ minimum: 0, maximum: 1 })
/** From the upper left corner of the picture to its lower right one. */
export const Pin = Strict({ x: Coordinate, y: Coordinate })
export const PinShown = Type.Object({ x: Type.Number(), y: Type.Number() })
const longestFilm = 24 * 3600 * 1000
export const TimeMs = Type.Integer({ minimum: 0, maximum: longestFilm })
export const CommentText = Type.String({ minLength: 1, maxLength: 5000, pattern: visible })

export const Person = Type.Object({ userId: Id('user'), name: Type.String() })
export type Person = Static<typeof Person>

export const Comment = Type.Object({
  commentId: Id('comment'),
  assetId: Id('asset'),
  version: Type.Integer({ description: 'The one it was said of.' }),
  threadId: Nullable(Type.String({ description: 'Of an answer: the comment it answers.' })),
  text: Type.String(),
  pin: Nullable(PinShown),
  timeMs: Nullable(Type.Integer({ description: 'A moment of the film.' })),
  mentions: Type.Array(Person),
  author: Speaker,
  isOwn: Type.Boolean({ description: 'It was you.' }),
  createdAt: Timestamp,
  editedAt: Nullable(Timestamp),
  resolvedAt: Nullable(Timestamp),
  resolvedBy: Nullable(Speaker),
})
export type Comment = Static<typeof Comment>

export const CommentQuery = Strict({ version: Type.Optional(VersionNumber), ...Page })
export type CommentQuery = Static<typeof CommentQuery>
export const CommentPage = Type.Object({
  comments: Type.Array(Comment, { description: 'The newest first, answers among them.' }),
  nextCursor: NextCursor,
})
export type CommentPage = Static<typeof CommentPage>

export const mostMentions = 20
const Mentions = Type.Array(Id('user'), { maxItems: mostMentions, uniqueItems: true })

export const NewComment = Strict({
  text: CommentText,
  version: Type.Optional(VersionNumber),
  pin: Type.Optional(Pin),
  timeMs: Type.Optional(TimeMs),
  threadId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Answers this comment; without pin and time.' }),
  ),
  mentions: Type.Optional(Mentions),
})
export type NewComment = Static<typeof NewComment>

export const CommentChange = Strict(
  { text: Type.Optional(CommentText), resolved: Type.Optional(Type.Boolean()) },
  { minProperties: 1, description: 'Its author changes the text; whoever reviews resolves the thread.' },
)
export type CommentChange = Static<typeof CommentChange>

export const PeopleQuery = Strict({
  q: Type.Optional(Type.String({ maxLength: 120, description: 'A part of the name.' })),
})
export type PeopleQuery = Static<typeof PeopleQuery>
export const People = Type.Object({
  people: Type.Array(Person, { description: 'Whom a comment can mention, by name; at most 50.' }),
})
export type People = Static<typeof People>
