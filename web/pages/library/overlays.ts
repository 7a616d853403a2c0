import type { RefusedTags } from '../../assets/tag-dialog.tsx'

/** What a dialog asks of several assets and folders. */
export type ActOnMany =
  | 'move'
  | 'tag'
  | 'surfaces'
  | 'rights'
  | 'deliver'
  | 'plan'
  | 'share'
  | 'ask'
  | 'crop'
  | 'review'
  | 'collect'
  /** Of what is in the trash, for good. */
  | 'purge'

/** Once more, after they were refused. */
export interface TagsRefused {
  kind: 'tag'
  ids: string[]
  refused: RefusedTags
}

/** The one dialog that may be open over the page. */
export type Dialog =
  | { kind: ActOnMany; ids: string[] }
  | TagsRefused
  /** `count` of them go, and what is `inside` their folders. */
  | { kind: 'trash'; ids: string[]; count: number; inside: number }
  | { kind: 'empty-trash'; folderId?: string | undefined }
  /** A new one, without an id. */
  | { kind: 'name-collection'; collectionId?: string | undefined }
  | { kind: 'delete-collection'; collectionId: string }
  | { kind: 'help' }
  | { kind: 'look'; assetId: string }

/** The one menu that may be. */
export interface OpenedMenu {
  /** Nothing: the menu of the empty ground. */
  ids: string[]
  spot: { x: number; y: number }
  /** Opened at the tree or the path, where a rename happens too. */
  inTree: boolean
}
