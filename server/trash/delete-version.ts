import { sql } from 'kysely'
import { openStatuses } from '../../contract/deliveries.ts'
import { type AssetRow, toAsset, type VersionRow, versionIfThere } from '../assets/asset.ts'
import { heldRow } from '../assets/assets.ts'
import { pinsOf } from '../assets/merged.ts'
import { pinnedRef } from '../assets/ref.ts'
import { type Change, change, type Library } from '../library.ts'
import { derivedKey } from '../previews/derived.ts'
import { notFound, Problem } from '../problems.ts'
import { refusePinned } from '../uses/in-use.ts'
import { refuseHeld } from './hold.ts'

/**
 * Removes an old version for good. Its stored original goes with it, and its bytes are free, unless another version
 * stands on the same one.
 */
export const deleteVersion = (library: Library, assetId: string, version: number): Promise<void> =>
  change(library, async (its) => {
    const asset = await heldRow(its, library, assetId)
    const old = await versionIfThere(its.trx, library, asset.id, version)
    if (!old) throw notFound('No such version')
    if (version === asset.version)
      throw new Problem(
        'current-version',
        'This is the version that counts now. Restore or upload another one first, or delete the asset.',
      )
    refuseHeld(asset)
    await refusePinned(its.trx, library, await pinsOf(its.trx, library, asset.id, version))
    await refuseOnItsWay(its, asset, version)

    const made = await removeDerived(its, old)
    await its.trx.deleteFrom('asset_versions').where(isThis(old)).execute()
    const shared = await its.trx
      .selectFrom('asset_versions')
      .select('version')
      .where('client_id', '=', old.client_id)
      .where('object_prefix', '=', old.object_prefix)
      .executeTakeFirst()
    const { clientId } = library
    if (!shared) its.count({ stored: -old.size_bytes })
    for (const prefix of shared ? made : [`${old.object_prefix}/`])
      await library.jobs.send(its.trx, 'remove-objects', { clientId, prefix })
    its.tell('asset.version-deleted', asset.id, { asset: toAsset(asset), version })
  })

const isThis = ({ client_id, asset_id, version }: Pick<VersionRow, 'client_id' | 'asset_id' | 'version'>) =>
  sql<boolean>`client_id = ${client_id} and asset_id = ${asset_id} and version = ${version}`

/** The rows of what was made of the version; where its objects lie, if each has a name of its own. */
async function removeDerived(its: Change, version: VersionRow): Promise<string[]> {
  const rows = await its.trx
    .deleteFrom('derived_files')
    .where(isThis(version))
    .returning(['name', 'maker'])
    .execute()
  return rows.filter(({ maker }) => maker !== null).map((row) => derivedKey(version, row))
}

async function refuseOnItsWay(its: Change, { client_id, id }: AssetRow, version: number): Promise<void> {
  const delivery = await its.trx
    .selectFrom('deliveries')
    .select('id')
    .where('client_id', '=', client_id)
    .where('status', 'in', openStatuses)
    .where((eb) =>
      eb.or([
        eb.and([eb('asset_id', '=', id), eb('version', '=', version)]),
        sql<boolean>`more @> ${JSON.stringify([{ assetRef: pinnedRef(id, version) }])}::jsonb`,
      ]),
    )
    .executeTakeFirst()
  if (delivery)
    throw new Problem('in-use', `The delivery ${delivery.id} is sending it. Wait for its end, or cancel it.`)
}
