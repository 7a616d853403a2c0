import type { Person } from '../person.ts'

export const doorOf = (clientId: string) => ({
  assets: `/admin/clients/${clientId}/assets`,
  events: `/admin/clients/${clientId}/events`,
})

export async function previewOf(someone: Person, assetId: string): Promise<number> {
  const answer = await someone.fetch(`${someone.door.assets}/${assetId}/preview?size=thumb`)
  await answer.arrayBuffer()
  return answer.status
}
