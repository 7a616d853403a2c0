import { type Static, Type } from 'typebox'
import { Id, NextCursor, Nullable, Page, Strict, Timestamp } from './words.ts'

export const longestFolderName = 120
export const deepestFolder = 32

export const Folder = Type.Object({
  folderId: Id('folder'),
  clientId: Id('client'),
  name: Type.String(),
  parentId: Type.Optional(
    Type.String({ description: 'An id of the form folder_…; absent at the top level.' }),
  ),
  protected: Type.Boolean({
    description: 'Belongs to the Social agent; only it may rename, move or delete it.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  trashedAt: Nullable(Timestamp),
})
export type Folder = Static<typeof Folder>

/** As requests name it: null for the top level. */
export const parentOf = ({ parentId }: Pick<Folder, 'parentId'>): string | null => parentId ?? null

export const FolderStep = Type.Object({ folderId: Id('folder'), name: Type.String() })
export type FolderStep = Static<typeof FolderStep>

export const FolderTree = Type.Object({ folders: Type.Array(Folder), nextCursor: NextCursor })
export type FolderTree = Static<typeof FolderTree>

/** Longer pages than elsewhere: a folder is short, and whoever shows the tree needs all of it. */
export const FolderQuery = Strict({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, default: 200 })),
  cursor: Page.cursor,
})
export type FolderQuery = Static<typeof FolderQuery>

const FolderName = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: `1–${longestFolderName} characters after trimming; no "/", no control characters, none that turn the text (U+202E and the like), not "." or "..".`,
})

export const NewFolder = Strict({ name: FolderName, parentId: Type.Optional(Nullable(Id('folder'))) })
export type NewFolder = Static<typeof NewFolder>

export const FolderChange = Strict({
  folderId: Id('folder'),
  name: Type.Optional(FolderName),
  parentId: Type.Optional(Nullable(Id('folder'))),
  still: Type.Optional(
    Strict(
      { name: Type.String({ maxLength: 1000 }), parentId: Nullable(Id('folder')) },
      {
        description:
          'Only where it is still so. Where somebody has changed it since, it is `changed-meanwhile`.',
      },
    ),
  ),
})
export type FolderChange = Static<typeof FolderChange>

export const FolderDeletion = Strict({
  folderId: Id('folder'),
  force: Type.Optional(
    Type.Boolean({ description: 'Also when something below is held by a scheduled or running use.' }),
  ),
})
export type FolderDeletion = Static<typeof FolderDeletion>

export const FolderDeleted = Type.Object({
  deleted: Type.Object({ folders: Type.Integer(), assets: Type.Integer() }),
  restorableUntil: Timestamp,
})
export type FolderDeleted = Static<typeof FolderDeleted>

export const FolderRestore = Strict({ folderId: Id('folder') })
export const FolderDownload = Strict({ folderId: Id('folder') })

export const FolderCountQuery = Strict({
  parentId: Type.Optional(Id('folder')),
  trashed: Type.Optional(Type.Boolean({ description: 'Of folders in the trash, and what went with them.' })),
})
export type FolderCountQuery = Static<typeof FolderCountQuery>

export const FolderCounts = Type.Object({
  counts: Type.Array(
    Type.Object({
      folderId: Id('folder'),
      assets: Type.Integer({ description: 'In the folder and in all folders below it.' }),
    }),
    { description: 'Of each folder right below `parentId`, or at the top level.' },
  ),
})
export type FolderCounts = Static<typeof FolderCounts>
