import type { Asset } from '../../contract/assets.ts'

export type Edit = (asset: Asset) => Asset

/** What the person has changed and the server has not answered yet, and the last that the server said of each asset. */
const unanswered = new Map<string, { said: Asset; edits: Set<Edit> }>()

/** The asset as the person has it: what arrives before the answer may be older than their change, and does not undo it. */
export function withEdits(asset: Asset): Asset {
  const held = unanswered.get(asset.assetId)
  if (!held) return asset
  held.said = asset
  return edited(held)
}

/** Keeps an edit until the server has answered it; `answered` tells what the asset is without it. */
export function keepEdit(asset: Asset, edit: Edit): { shown: Asset; answered(): Asset } {
  const held = unanswered.get(asset.assetId) ?? { said: asset, edits: new Set() }
  unanswered.set(asset.assetId, held)
  held.edits.add(edit)
  return {
    shown: edited(held),
    answered() {
      held.edits.delete(edit)
      if (held.edits.size === 0) unanswered.delete(asset.assetId)
      return edited(held)
    },
  }
}

const edited = ({ said, edits }: { said: Asset; edits: Set<Edit> }) =>
  [...edits].reduce((asset, edit) => edit(asset), said)
