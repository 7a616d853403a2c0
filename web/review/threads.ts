import type { Comment } from '../../contract/review.ts'

export interface Thread {
  thread: Comment
  answers: Comment[]
  /** As people call it, and as its pin says. */
  number: number
}

/** Comments, the oldest first, as threads with their answers. */
export function threadsOf(comments: Comment[]): Thread[] {
  const answers = Map.groupBy(comments, ({ threadId }) => threadId)
  return comments
    .filter(({ threadId }) => threadId === null)
    .map((thread, index) => ({ thread, answers: answers.get(thread.commentId) ?? [], number: index + 1 }))
}
