import {
  Comment,
  CommentChange,
  CommentPage,
  CommentQuery,
  Decided,
  Decision,
  DecisionResults,
  Decisions,
  NewComment,
  People,
  PeopleQuery,
  ReviewAsked,
  ReviewPage,
  ReviewQuery,
  ReviewRequest,
} from '../../contract/review.ts'
import { PathId } from '../../contract/words.ts'
import { libraryOf } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { decide, decideEach, requestReview } from './approvals.ts'
import { addComment, changeComment, deleteComment, listComments } from './comments.ts'
import { listPeople } from './people.ts'
import { listReviews } from './reviews.ts'

/** What waits for whom, and who can be asked. */
export async function reviewRoutes(app: App) {
  const params = inLibrary(app)

  app.get(
    '/',
    {
      schema: {
        summary: 'List what is in review',
        params,
        querystring: ReviewQuery,
        response: { 200: ReviewPage },
      },
      config: { permission: 'assets:read' },
    },
    async (request) => listReviews(libraryOf(request), request.query),
  )
  app.post(
    '/',
    {
      schema: {
        summary: 'Ask for a review of assets',
        params,
        body: ReviewRequest,
        response: { 200: ReviewAsked },
      },
      config: { permission: 'assets:write', refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request) => requestReview(libraryOf(request), request.body),
  )
  app.post(
    '/decide',
    {
      schema: {
        summary: 'Approve many versions, or ask for changes',
        description: 'Each by itself: what cannot be decided is named, and all others are.',
        params,
        body: Decisions,
        response: { 200: DecisionResults },
      },
      config: { permission: 'reviews:write', refuses: ['idempotency-key-reused'], largeAnswer: true },
    },
    async (request) => decideEach(libraryOf(request), request.body),
  )
  app.get(
    '/people',
    {
      schema: {
        summary: 'List whom a comment can mention',
        params,
        querystring: PeopleQuery,
        response: { 200: People },
      },
      config: { permission: 'reviews:write' },
    },
    async (request) => listPeople(libraryOf(request), request.query),
  )
}

/** What people say of one asset. */
export async function assetReviewRoutes(app: App) {
  const ofAsset = inLibrary(app, { assetId: PathId('asset') })
  const ofComment = inLibrary(app, { assetId: PathId('asset'), commentId: PathId('comment') })

  app.put(
    '/:assetId/approval',
    {
      schema: {
        summary: 'Approve a version, or ask for changes',
        params: ofAsset,
        body: Decision,
        response: { 200: Decided },
      },
      config: { permission: 'reviews:write', refuses: ['not-found', 'changed-meanwhile'] },
    },
    async (request) => decide(libraryOf(request), request.params.assetId, request.body),
  )
  app.get(
    '/:assetId/comments',
    {
      schema: {
        summary: 'List the comments on an asset',
        params: ofAsset,
        querystring: CommentQuery,
        response: { 200: CommentPage },
      },
      config: { permission: 'assets:read', refuses: ['not-found'] },
    },
    async (request) => listComments(libraryOf(request), request.params.assetId, request.query),
  )
  app.post(
    '/:assetId/comments',
    {
      schema: {
        summary: 'Comment on an asset',
        params: ofAsset,
        body: NewComment,
        response: { 201: Comment },
      },
      config: { permission: 'reviews:write', refuses: ['not-found', 'idempotency-key-reused'] },
    },
    async (request, reply) =>
      reply.code(201).send(await addComment(libraryOf(request), request.params.assetId, request.body)),
  )
  app.patch(
    '/:assetId/comments/:commentId',
    {
      schema: {
        summary: 'Change or resolve a comment',
        params: ofComment,
        body: CommentChange,
        response: { 200: Comment },
      },
      config: { permission: 'reviews:write', refuses: ['not-found'] },
    },
    async (request) => {
      const { assetId, commentId } = request.params
      return changeComment(libraryOf(request), assetId, commentId, request.body)
    },
  )
  app.delete(
    '/:assetId/comments/:commentId',
    {
      schema: { summary: 'Delete a comment', params: ofComment },
      config: { permission: 'reviews:write', refuses: ['not-found'] },
    },
    async (request, reply) => {
      const { assetId, commentId } = request.params
      await deleteComment(libraryOf(request), assetId, commentId)
      return reply.code(204).send()
    },
  )
}
