import type { Delivery } from '../../contract/deliveries.ts'
import { parseRef, pinnedRef } from '../assets/ref.ts'
import type { JobData } from '../jobs/jobs.ts'
import { type DeliveryRow, showsAsset, toDelivery, waitsForFilm } from '../ledger/ledger.ts'
import { change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { filmProgress } from '../previews/film-renditions.ts'
import { isFilmRecipe } from '../publishing/film-recipe.ts'
import type { Purpose } from '../references/resolve.ts'

/** Deliveries that waited for a film go on, whatever has become of it. */
export const goOnDelivering = (parts: Parts, { clientId, assetId, name }: JobData['film']): Promise<void> => {
  const library = makeLibrary(parts, clientId, system)
  return change(library, async ({ trx }) => {
    const waiting = await trx
      .selectFrom('deliveries')
      .select('id')
      .where('client_id', '=', clientId)
      .where(showsAsset(assetId))
      .where(waitsForFilm(name))
      .execute()
    for (const { id } of waiting) await library.jobs.send(trx, 'deliver', { clientId, deliveryId: id })
  })
}

/** A delivery as it is shown, with how much of the film is converted that it waits for. */
export async function withProgress(library: Library, row: DeliveryRow): Promise<Delivery> {
  const delivery = toDelivery(row)
  if (row.status !== 'preparing') return delivery
  for (const { assetRef, recipe } of [
    { assetRef: pinnedRef(row.asset_id, row.version), recipe: row.recipe },
    ...row.more,
  ]) {
    const promised = recipe as Purpose['promised']
    const { assetId, version } = parseRef(assetRef) ?? {}
    if (!promised || !isFilmRecipe(promised) || !assetId || !version) continue
    const { isReady, percent } = await filmProgress(library, { asset_id: assetId, version }, promised)
    if (!isReady) return { ...delivery, progress: { ...delivery.progress, convertedPercent: percent ?? 0 } }
  }
  return delivery
}
